/** The commands with their arguments and options, as the command line and the help show them. */
import { createRequire } from "node:module"
import { Command, InvalidArgumentError, Option } from "commander"
import type { ConfigLocation, InitCommand, MoveCommand, SecretCommand } from "./command-options.ts"
import { runMigrateCommand } from "./database/migrate.ts"
import { runSweepCommand } from "./database/sweep.ts"
import { runDoctorCommand } from "./doctor/doctor.ts"
import { runExplainCommand } from "./explain/explain.ts"
import { frameworks } from "./init/framework.ts"
import { runInitCommand } from "./init/init.ts"
import { runMoveCommand } from "./move/move.ts"
import { runPagesCommand } from "./pages/pages.ts"
import { runSecretCommand } from "./secret/secret.ts"
import { style, type Terminal } from "./terminal.ts"

const { version } = createRequire(import.meta.url)("@latchkey/cli/package.json")

/**
 * Creates the parser of the command line. It runs the command, and throws `CommanderError` after it has printed the
 * help, or what is wrong.
 *
 * @param onEnd receives the exit status of a command that ran
 */
export function createProgram(terminal: Terminal, onEnd: (status: number) => void): Command {
  const program = new Command("latchkey")
    .description("Sign-in for web applications: creates, checks, maintains and moves it.")
    .version(version, "-v, --version", "prints the version")
    .helpOption("-h, --help", "prints this text")
    .helpCommand("help [command]", "prints the options of a command")
    .configureHelp({ styleTitle: (text) => style("bold", text) })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .showHelpAfterError()
    .exitOverride()
  const end = async (status: number | Promise<number>) => onEnd(await status)
  addProjectCommands(program, terminal, end)
  addConfigurationCommands(program, terminal, end)
  return program
}

/** Receives the status of the command. */
type End = (status: number | Promise<number>) => Promise<void>

/** Adds the commands that work on a project or print something. */
function addProjectCommands(program: Command, terminal: Terminal, end: End): void {
  const names = frameworks.map(({ name }) => name)
  program
    .command("init [folder]")
    .description("adds sign-in to the application in a folder, or creates one")
    .addOption(new Option("--framework <name>", "the framework of a new one").choices(names))
    .option("-y, --yes", "writes and installs without asking")
    .option("--no-install", "does not install the packages")
    .option("--packages <folder>", "takes Latchkey's packages from a folder of tarballs")
    .action((folder: string | undefined, flags: InitCommand) =>
      end(runInitCommand({ ...flags, folder }, terminal, process.cwd())),
    )
  program
    .command("secret")
    .description("prints a random secret")
    .option("--write", "adds it to the file as AUTH_SECRET")
    .option("--rotate", "adds it as the next of AUTH_SECRET_1 to _3; older secrets remain valid")
    .option("--env <file>", "the file to write to", ".env")
    .action((flags: SecretCommand) => end(runSecretCommand(flags, terminal)))
  program
    .command("explain [name]")
    .description("explains an error or a warning of the log, or lists them")
    .action((name: string | undefined) => end(runExplainCommand(name, terminal)))
  program
    .command("move")
    .description("moves the project in this folder from Auth.js to Latchkey")
    .option("-y, --yes", "writes the changes without asking")
    .option("--install", "also installs the packages and runs the doctor, without asking")
    .action((flags: MoveCommand) => end(runMoveCommand(flags, terminal, process.cwd())))
}

/** Adds the commands that load a configuration. */
function addConfigurationCommands(program: Command, terminal: Terminal, end: End): void {
  const add = <Flags extends ConfigLocation>(
    name: string,
    description: string,
    run: (flags: Flags, terminal: Terminal) => Promise<number>,
  ) =>
    program
      .command(`${name} [file]`)
      .description(description)
      .option("--export <name>", "the export with the configuration, if it has another name")
      .option("--env <file>", "a file of environment variables, if .env is not the one")
      .action((file: string | undefined, flags: Flags) => end(run({ ...flags, file }, terminal)))

  const development = new Option("--development", 'checks as if NODE_ENV were "development"')
  add("doctor", "loads a configuration and reports its problems", runDoctorCommand)
    .option("--url <url>", "the URL that users open, if AUTH_URL does not say it", parseUrl)
    .option("--production", 'checks as if NODE_ENV were "production"')
    .addOption(development.conflicts("production"))
    .option("--online", "also contacts the providers, the mail server and the running application")
    .option("--json", "prints the findings as JSON")
    .setOptionValue("online", false)
  const dryRun = new Option("--dry-run", "only prints the statements that it would run")
  add("migrate", "brings the tables of the configuration's adapter up to date", runMigrateCommand)
    .addOption(dryRun.conflicts("sql"))
    .option("--sql", "only prints the statements for an empty database")
  add("sweep", "removes expired sessions and e-mail tokens", runSweepCommand)
  add(
    "pages",
    "writes the built-in pages in all their states, with your theme",
    runPagesCommand,
  ).option("--out <folder>", "the folder to write to", "latchkey-pages")
}

function parseUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/i.test(url)) return url
  throw new InvalidArgumentError("It must be a URL such as https://example.com.")
}
