export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Asks a question, and returns whether the answer is yes. Absent if nobody can answer. */
  confirm?(question: string): Promise<boolean>
}

/** The command is valid, but cannot run or would lose data. */
export class CommandError extends Error {
  override name = "CommandError"
}

/** The command line is invalid. */
export class UsageError extends Error {
  override name = "UsageError"
}
