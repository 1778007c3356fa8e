import { type Command, readCommand, usage } from "./command-line.ts"
import { migrate } from "./database/migrate.ts"
import { sweep } from "./database/sweep.ts"
import { doctor } from "./doctor/doctor.ts"
import { secret } from "./secret/secret.ts"
import { Refusal, type Terminal, UsageError } from "./terminal.ts"

/**
 * Runs a command.
 *
 * @param args of the command line, without the program
 * @returns the exit status: 0 when all is well, 1 when something is wrong or refused, 2 when the command is not understood
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(readCommand(args), terminal)
  } catch (error) {
    if (error instanceof Refusal) {
      terminal.err(error.message)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    terminal.err(`${error.message}\n\n${usage}`)
    return 2
  }
}

async function run(command: Command, terminal: Terminal): Promise<number> {
  switch (command.name) {
    case "help":
      terminal.out(usage)
      return 0
    case "secret":
      return secret(command, terminal)
    case "doctor":
      return doctor(command, terminal)
    case "migrate":
      return migrate(command, terminal)
    case "sweep":
      return sweep(command, terminal)
  }
}
