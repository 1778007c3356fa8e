/** What the command line says. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import { UsageError } from "./terminal.ts"

export const usage = `Usage: latchkey <command> [options]

latchkey secret              prints a good secret
  --write                    adds it to the file as AUTH_SECRET
  --rotate                   adds it as the next of AUTH_SECRET_1 to _3; what older ones made stays valid
  --env FILE                 the file to write to (.env)

latchkey doctor [FILE]       loads a configuration and says what is wrong with it
  --export NAME              the export that holds it (default, authConfig, config, authOptions)
  --url URL                  the address that people open (AUTH_URL, or http://localhost:3000)
  --env FILE                 a file of environment variables (.env)
  --production               as if NODE_ENV were "production"
  --online                   also contacts the providers and the mail server
  --json                     prints the findings as JSON

latchkey help                prints this`

/** `latchkey secret`. */
export interface SecretCommand {
  readonly name: "secret"
  readonly action: "print" | "write" | "rotate"
  readonly file: string
}

/** `latchkey doctor`. */
export interface DoctorCommand {
  readonly name: "doctor"
  readonly file: string | undefined
  readonly export: string | undefined
  readonly url: string | undefined
  readonly env: string | undefined
  readonly production: boolean
  readonly online: boolean
  readonly json: boolean
}

export type Command = SecretCommand | DoctorCommand | { readonly name: "help" }

/**
 * Reads a command line.
 *
 * @throws UsageError
 */
export function readCommand(args: readonly string[]): Command {
  const [name, ...rest] = args
  if (name === undefined || rest.includes("--help") || ["help", "--help", "-h"].includes(name)) {
    return { name: "help" }
  }
  if (name === "secret") return readSecret(rest)
  if (name === "doctor") return readDoctor(rest)
  throw new UsageError(`There is no command "${name}".`)
}

function readSecret(args: readonly string[]): SecretCommand {
  const { values } = parsed(args, {
    write: { type: "boolean" },
    rotate: { type: "boolean" },
    env: { type: "string" },
  })
  const action = values["rotate"] ? "rotate" : values["write"] ? "write" : "print"
  return { name: "secret", action, file: text(values["env"]) ?? ".env" }
}

function readDoctor(args: readonly string[]): DoctorCommand {
  const { values, positionals } = parsed(args, {
    export: { type: "string" },
    url: { type: "string" },
    env: { type: "string" },
    production: { type: "boolean" },
    online: { type: "boolean" },
    json: { type: "boolean" },
  })
  const [file, ...more] = positionals
  if (more.length > 0) throw new UsageError(`One file at a time, not also "${more.join('", "')}".`)
  return {
    name: "doctor",
    file,
    export: text(values["export"]),
    url: addressOf(text(values["url"])),
    env: text(values["env"]),
    production: values["production"] === true,
    online: values["online"] === true,
    json: values["json"] === true,
  }
}

function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:/i.test(url))) return url
  throw new UsageError(
    `--url must be the address of a website such as https://example.com, not "${url}".`,
  )
}

type Values = Readonly<Record<string, unknown>>

function parsed(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): { values: Values; positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (cause) {
    const [sentence = ""] = String(cause instanceof Error ? cause.message : cause).split(". ")
    throw new UsageError(`${sentence.replace(/\.$/, "")}.`, { cause })
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
