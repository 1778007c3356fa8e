/** Parses the command line. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import { type Framework, findFramework, frameworks } from "./init/framework.ts"
import { UsageError } from "./terminal.ts"

const frameworkNames: string = frameworks.map(({ name }) => name).join(", ")

export const usageText: string = `Usage: latchkey <command> [options]

latchkey init [FOLDER]       adds sign-in to the application in this folder, or creates one: shows the files, then asks
  --framework NAME           the framework of a new application (${frameworkNames})
  --yes                      writes and installs without asking
  --no-install               does not install the packages

latchkey secret              prints a random secret
  --write                    adds it to the file as AUTH_SECRET
  --rotate                   adds it as the next of AUTH_SECRET_1 to _3; older secrets remain valid
  --env FILE                 the file to write to (.env)

latchkey doctor [FILE]       loads a configuration and reports its problems
  --export NAME              the export with the configuration (default, authConfig, config, authOptions)
  --url URL                  the URL that users open (AUTH_URL, or that of the development server)
  --env FILE                 a file of environment variables (those that the application loads)
  --production               checks as if NODE_ENV were "production"
  --online                   also contacts the providers, the mail server and the running application
  --json                     prints the findings as JSON

latchkey explain [NAME]      explains an error or a warning of the log

latchkey migrate [FILE]      brings the tables of the configuration's adapter up to date
  --dry-run                  only prints the statements that it would run
  --sql                      only prints the statements for an empty database
  --export NAME, --env FILE  as for doctor

latchkey sweep [FILE]        removes expired sessions and e-mail tokens
  --export NAME, --env FILE  as for doctor

latchkey pages [FILE]        writes the built-in pages in all their states, with your theme, providers and languages
  --out FOLDER               the folder to write to (latchkey-pages)
  --export NAME, --env FILE  as for doctor

latchkey move                moves the project in this folder from Auth.js to Latchkey: shows the changes, then asks
  --yes                      writes the changes without asking
  --install                  also installs the packages and runs the doctor, without asking

latchkey help                prints this text`

/** `latchkey init`. */
export interface InitCommand {
  readonly name: "init"
  readonly folder: string
  readonly framework: Framework | undefined
  readonly yes: boolean
  readonly install: boolean
}

/** `latchkey secret`. */
export interface SecretCommand {
  readonly name: "secret"
  readonly action: "print" | "write" | "rotate"
  readonly file: string
}

/** The location of a configuration. */
export interface ConfigLocation {
  readonly file: string | undefined
  readonly export: string | undefined
  readonly env: string | undefined
}

/** `latchkey doctor`. */
export interface DoctorCommand extends ConfigLocation {
  readonly name: "doctor"
  readonly url: string | undefined
  readonly production: boolean
  readonly online: boolean
  readonly json: boolean
}

/** `latchkey migrate`. */
export interface MigrateCommand extends ConfigLocation {
  readonly name: "migrate"
  readonly action: "apply" | "plan" | "sql"
}

/** `latchkey explain`. */
export interface ExplainCommand {
  readonly name: "explain"
  /** The type of the error, or the code of the warning. */
  readonly type: string | undefined
}

/** `latchkey sweep`. */
export interface SweepCommand extends ConfigLocation {
  readonly name: "sweep"
}

/** `latchkey pages`. */
export interface PagesCommand extends ConfigLocation {
  readonly name: "pages"
  readonly out: string
}

/** `latchkey move`. */
export interface MoveCommand {
  readonly name: "move"
  readonly yes: boolean
  readonly install: boolean
}

export type Command =
  | InitCommand
  | SecretCommand
  | DoctorCommand
  | ExplainCommand
  | MigrateCommand
  | SweepCommand
  | PagesCommand
  | MoveCommand
  | { readonly name: "help" }

/**
 * Parses a command line.
 *
 * @throws UsageError
 */
export function parseCommand(args: readonly string[]): Command {
  const [name, ...rest] = args
  if (name === undefined || rest.includes("--help") || ["help", "--help", "-h"].includes(name)) {
    return { name: "help" }
  }
  if (name === "init") return parseInitCommand(rest)
  if (name === "secret") return parseSecretCommand(rest)
  if (name === "doctor") return parseDoctorCommand(rest)
  if (name === "explain") return parseExplainCommand(rest)
  if (name === "migrate") return parseMigrateCommand(rest)
  if (name === "sweep")
    return { name: "sweep", ...parseConfigLocation(parseArguments(rest, locationOptions)) }
  if (name === "pages") return parsePagesCommand(rest)
  if (name === "move") return parseMoveCommand(rest)
  throw new UsageError(`Unknown command "${name}".`)
}

function parseInitCommand(args: readonly string[]): InitCommand {
  const { values, positionals } = parseArguments(args, {
    framework: { type: "string" },
    yes: { type: "boolean", short: "y" },
    "no-install": { type: "boolean" },
  })
  const [folder = ".", ...more] = positionals
  if (more.length > 0)
    throw new UsageError(`Expected one folder, but also received "${more.join('", "')}".`)
  return {
    name: "init",
    folder,
    framework: parseFramework(toOptionalString(values["framework"])),
    yes: values["yes"] === true,
    install: values["no-install"] !== true,
  }
}

function parseFramework(name: string | undefined): Framework | undefined {
  if (name === undefined) return undefined
  const framework = findFramework(name)
  if (framework) return framework
  throw new UsageError(`--framework must be one of ${frameworkNames}, not "${name}".`)
}

function parseSecretCommand(args: readonly string[]): SecretCommand {
  const { values } = parseArguments(args, {
    write: { type: "boolean" },
    rotate: { type: "boolean" },
    env: { type: "string" },
  })
  const action = values["rotate"] ? "rotate" : values["write"] ? "write" : "print"
  return { name: "secret", action, file: toOptionalString(values["env"]) ?? ".env" }
}

const locationOptions = { export: { type: "string" }, env: { type: "string" } } as const

function parseConfigLocation({ values, positionals }: ParsedArguments): ConfigLocation {
  const [file, ...more] = positionals
  if (more.length > 0)
    throw new UsageError(`Expected one file, but also received "${more.join('", "')}".`)
  return { file, export: toOptionalString(values["export"]), env: toOptionalString(values["env"]) }
}

function parseMigrateCommand(args: readonly string[]): MigrateCommand {
  const parsedArguments = parseArguments(args, {
    ...locationOptions,
    "dry-run": { type: "boolean" },
    sql: { type: "boolean" },
  })
  const { "dry-run": plan, sql } = parsedArguments.values
  if (plan && sql) throw new UsageError("Use either --dry-run or --sql.")
  const action = plan ? "plan" : sql ? "sql" : "apply"
  return { name: "migrate", action, ...parseConfigLocation(parsedArguments) }
}

function parsePagesCommand(args: readonly string[]): PagesCommand {
  const parsedArguments = parseArguments(args, { ...locationOptions, out: { type: "string" } })
  const out = toOptionalString(parsedArguments.values["out"]) ?? "latchkey-pages"
  return { name: "pages", out, ...parseConfigLocation(parsedArguments) }
}

function parseExplainCommand(args: readonly string[]): ExplainCommand {
  const [type, ...more] = parseArguments(args, {}).positionals
  if (more.length > 0)
    throw new UsageError(`Expected one name, but also received "${more.join('", "')}".`)
  return { name: "explain", type }
}

function parseMoveCommand(args: readonly string[]): MoveCommand {
  const { values, positionals } = parseArguments(args, {
    yes: { type: "boolean", short: "y" },
    install: { type: "boolean" },
  })
  if (positionals.length > 0)
    throw new UsageError("`latchkey move` moves the project in the current folder: go there first.")
  return { name: "move", yes: values["yes"] === true, install: values["install"] === true }
}

function parseDoctorCommand(args: readonly string[]): DoctorCommand {
  const parsedArguments = parseArguments(args, {
    ...locationOptions,
    url: { type: "string" },
    production: { type: "boolean" },
    online: { type: "boolean" },
    json: { type: "boolean" },
  })
  const { values } = parsedArguments
  return {
    name: "doctor",
    ...parseConfigLocation(parsedArguments),
    url: validateUrl(toOptionalString(values["url"])),
    production: values["production"] === true,
    online: values["online"] === true,
    json: values["json"] === true,
  }
}

function validateUrl(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:/i.test(url))) return url
  throw new UsageError(`--url must be a URL such as https://example.com, not "${url}".`)
}

interface ParsedArguments {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parseArguments(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): ParsedArguments {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (cause) {
    const [sentence = ""] = String(cause instanceof Error ? cause.message : cause).split(". ")
    throw new UsageError(`${sentence.replace(/\.$/, "")}.`, { cause })
  }
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
