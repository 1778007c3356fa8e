import { inspect } from "node:util"
import { CommanderError } from "commander"
import { createProgram } from "./program.ts"
import { redactSecrets } from "./redact-secrets.ts"
import { CommandError, type Terminal } from "./terminal.ts"

/**
 * Runs a command.
 *
 * @param args the command line without the program
 * @returns the exit status: 0 for success, 1 for problems, 2 for an invalid command line
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let status = 0
  const program = createProgram(terminal, (result) => {
    status = result
  })
  try {
    await program.parseAsync(args.length === 0 ? ["help"] : args, { from: "user" })
    return status
  } catch (error) {
    // It has printed the message, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isExpected = error instanceof CommandError
    terminal.err(isExpected ? error.message : redactSecrets(inspect(error), process.env))
    return 1
  }
}
