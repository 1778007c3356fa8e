export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Asks a question, and returns whether the answer is yes. Absent if nobody can answer. */
  confirm?(question: string): Promise<boolean>
  /** Asks for one of the choices, and returns its index; undefined for none of them. Absent if nobody can answer. */
  choose?(question: string, choices: readonly string[]): Promise<number | undefined>
  /** Shows the current step of a long operation, until the next output. */
  progress?(step: string): void
}

/** The command is valid, but cannot run or would lose data. */
export class CommandError extends Error {
  override name = "CommandError"
}

/** The command line is invalid. */
export class UsageError extends Error {
  override name = "UsageError"
}
