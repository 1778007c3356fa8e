/** Checks code blocks of other languages. Each check returns the problem, or undefined. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { parseEnv } from "node:util"
import { migrate } from "@latchkey/sql"

type CheckBlock = (code: string) => string | undefined | Promise<string | undefined>

/** The checks by language. Other languages are not allowed. */
export const blockChecks: Readonly<Record<string, CheckBlock>> = {
  diff: (code) => (/^(?:[-+ ].*\n|\n)+$/.test(code) ? undefined : "has lines that no diff has"),
  env: checkEnvironment,
  "env .env.development": checkEnvironment,
  json: (code) => void JSON.parse(code),
  sh: checkShell,
  sql: checkSql,
  // The tests of `@latchkey/sql` run them.
  "sql postgres": () => undefined,
  text: () => undefined,
}

/** The commands of this project and of the frameworks' servers. */
const knownVariables =
  /^(?:AUTH_[A-Z\d_]+|NODE_ENV|ORIGIN|(?:PROTOCOL|HOST|PORT)_HEADER|PORT|HOST)$/

function checkEnvironment(code: string): string | undefined {
  const names = Object.keys(parseEnv(code))
  const unknown = names.filter((name) => !knownVariables.test(name))
  if (names.length === 0) return "sets no variable"
  return unknown.length > 0 ? `sets ${unknown.join(", ")}, which nobody reads` : undefined
}

const { scripts, bin } = {
  scripts: Object.keys(JSON.parse(readFileSync("package.json", "utf8")).scripts),
  bin: readFileSync("packages/cli/src/program.ts", "utf8"),
}

function checkShell(code: string): string | undefined {
  const commands = code.split(/\n|&&/).map((line) => line.replace(/#.*/, "").trim())
  const unknownCommand = commands.find((command) => command !== "" && !isKnownCommand(command))
  return unknownCommand === undefined ? undefined : `does not know the command: ${unknownCommand}`
}

const isOwnCommand = (name = ""): boolean =>
  new RegExp(`\\b(?:command|add)\\(\\s*"${name}\\b`).test(bin)

/** Accepts npm's own commands, scripts of this project, and our commands. */
function isKnownCommand(command: string): boolean {
  const [program, first = "", second = "", third = ""] = command.split(/\s+/)
  // `dev` is a script of the applications that we create.
  if (program === "npm" && first === "run") return [...scripts, "dev"].includes(second)
  if (program === "npx" && first === "@latchkey/cli") return isOwnCommand(second)
  if (program === "npm" && first === "create") return second === "@latchkey"
  if (program === "npx" && first === "vitest") return second === "run" && existsSync(third)
  if (program === "npx" && first === "create-next-app@latest") return true
  const named = /^npx(?: --package \S+)+ latchkey (\w+)$/.exec(command)
  if (named) return isOwnCommand(named[1])
  if (program === "npm")
    return ["ci", "create", "init", "install", "pkg", "start", "test"].includes(first)
  return ["cd", "cp", "curl", "git", "node", "openssl"].includes(program ?? "")
}

/** Runs statements on a database with our tables, with another file attached that has the tables to copy. */
async function checkSql(code: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "examples-"))
  const previousFolder = process.cwd()
  const database = new DatabaseSync(join(folder, "app.db"))
  try {
    await migrate(database)
    process.chdir(folder)
    const authjsDatabase = new DatabaseSync("old.db")
    authjsDatabase.exec(authjsTables)
    authjsDatabase.close()
    database.exec(code)
    return undefined
  } catch (error) {
    return String(error)
  } finally {
    process.chdir(previousFolder)
    database.close()
    rmSync(folder, { recursive: true })
  }
}

const authjsTables = `
  create table "User" (id text primary key, name text, email text, emailVerified text, image text);
  create table "Account" (id text primary key, userId text, type text, provider text,
    providerAccountId text, access_token text, refresh_token text, id_token text, scope text,
    token_type text, expires_at integer, session_state text);
  create table "Session" (id text primary key, sessionToken text, userId text, expires text);
  insert into "User" values ('1', 'Ada', 'ada@example.com', '2026-01-02T03:04:05.678Z', null);
  insert into "Session" values ('2', 'token', '1', '2027-01-02T03:04:05.678Z');
`
