/** Where lines go. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
}

/** The command line cannot be understood, or asks for what would lose something. */
export class UsageError extends Error {
  override name = "UsageError"
}
