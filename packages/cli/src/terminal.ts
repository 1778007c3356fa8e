export interface Terminal {
  out(text: string): void
  err(text: string): void
}

/** The command is valid, but cannot run or would lose data. */
export class CommandError extends Error {
  override name = "CommandError"
}

/** The command line is invalid. */
export class UsageError extends Error {
  override name = "UsageError"
}
