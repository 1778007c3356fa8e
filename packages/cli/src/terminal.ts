/** Where lines go. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
}

/** The command was understood, but would lose something or cannot be done. */
export class CommandError extends Error {
  override name = "Refusal"
}

/** The command line cannot be understood. */
export class UsageError extends Error {
  override name = "UsageError"
}
