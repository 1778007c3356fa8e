import { styleText } from "node:util"

export interface Terminal {
  out(text: string): void
  err(text: string): void
  /**
   * Asks a question, and returns whether the answer is yes. Absent if nobody can answer.
   *
   * @param isYes whether yes is the answer that is chosen at first
   */
  confirm?(question: string, isYes?: boolean): Promise<boolean>
  /** Asks for a text, and returns it, or the suggestion if it is empty; undefined for none. Absent if nobody can answer. */
  ask?(question: string, suggestion: string): Promise<string | undefined>
  /** Asks for one of the choices, and returns its index; undefined for none of them. Absent if nobody can answer. */
  choose?(question: string, choices: readonly string[]): Promise<number | undefined>
  /** Shows the current step of a long operation, until the next output. */
  progress?(step: string): void
}

/** The command is valid, but cannot run or would lose data. */
export class CommandError extends Error {
  override name = "CommandError"
}

/** Emphasises text for a terminal that shows colours. Elsewhere, such as in a file, the text stays as it is. */
export function style(format: Parameters<typeof styleText>[0], text: string): string {
  const { stdout } = process
  return stdout.isTTY && stdout.hasColors() ? styleText(format, text) : text
}
