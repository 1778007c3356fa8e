import { inspect } from "node:util"
import { runMigrateCommand } from "./database/migrate.ts"
import { runSweepCommand } from "./database/sweep.ts"
import { runDoctorCommand } from "./doctor/doctor.ts"
import { runExplainCommand } from "./explain/explain.ts"
import { runInitCommand } from "./init/init.ts"
import { runMoveCommand } from "./move/move.ts"
import { runPagesCommand } from "./pages/pages.ts"
import { type Command, parseCommand, usageText } from "./parse-command.ts"
import { redactSecrets } from "./redact-secrets.ts"
import { runSecretCommand } from "./secret/secret.ts"
import { CommandError, type Terminal, UsageError } from "./terminal.ts"

/**
 * Runs a command.
 *
 * @param args the command line without the program
 * @returns the exit status: 0 for success, 1 for problems, 2 for an invalid command line
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runCommand(parseCommand(args), terminal)
  } catch (error) {
    if (error instanceof CommandError) {
      terminal.err(redactSecrets(error.message, process.env))
      return 1
    }
    if (!(error instanceof UsageError)) {
      terminal.err(redactSecrets(inspect(error), process.env))
      return 1
    }
    terminal.err(`${error.message}\n\n${usageText}`)
    return 2
  }
}

async function runCommand(command: Command, terminal: Terminal): Promise<number> {
  switch (command.name) {
    case "help":
      terminal.out(usageText)
      return 0
    case "init":
      return runInitCommand(command, terminal, process.cwd())
    case "secret":
      return runSecretCommand(command, terminal)
    case "explain":
      return runExplainCommand(command, terminal)
    case "doctor":
      return runDoctorCommand(command, terminal)
    case "migrate":
      return runMigrateCommand(command, terminal)
    case "sweep":
      return runSweepCommand(command, terminal)
    case "pages":
      return runPagesCommand(command, terminal)
    case "move":
      return runMoveCommand(command, terminal, process.cwd())
  }
}
