/** Reports the formats that outlive a process: cookies, tables and keys, and what other programs read: codes and commands. */
import { readdirSync } from "node:fs"
import { decode, encode } from "@latchkey/core/jwt"
import { migrationSql } from "@latchkey/sql"
import { main } from "../../packages/cli/src/main.ts"
import { createProgram } from "../../packages/cli/src/program.ts"
import * as defaults from "../../packages/core/src/config/defaults.ts"
import { createCookieDefinitions } from "../../packages/core/src/config/resolve-session-config.ts"
import {
  factorSealPurpose,
  hashPurposes,
  sealPurposes,
  tokenSealPurpose,
} from "../../packages/core/src/crypto/purposes.ts"
import { createHostCookie, hostCookies } from "../../packages/core/src/http/cookies.ts"
import { createSingleSlotKeys } from "../../packages/redis/src/keys.ts"

/** Returns a report in Markdown. */
export async function reportFormats(): Promise<string> {
  const sections = [
    "# Formats",
    ...reportCookies(),
    ...(await reportSessionToken()),
    "## Defaults of options",
    renderCode("json", JSON.stringify(defaults, undefined, 2)),
    "## Codes of errors and warnings",
    renderList(readdirSync("docs/errors").map((file) => file.replace(".md", ""))),
    ...reportTables(),
    "## Keys in Redis",
    renderList(listRedisKeys()),
    ...reportCommands(),
    "## Exit codes",
    (await listExitCodes()).join("\n"),
  ]
  return `${sections.join("\n\n")}\n`
}

function reportCookies(): string[] {
  const definitions = createCookieDefinitions(true)
  const cookies = [
    ...Object.values(definitions),
    ...hostCookies.map((purpose) => createHostCookie(definitions, purpose)),
  ]
  const rows = cookies.map(({ name, options }) => `- \`${name}\`: ${JSON.stringify(options)}`)
  return [
    "## Cookies over https",
    rows.join("\n"),
    "Values are sealed for a purpose, or hashed for one:",
    renderList([...sealPurposes, tokenSealPurpose, factorSealPurpose]),
    renderList(hashPurposes),
  ]
}

async function reportSessionToken(): Promise<string[]> {
  const salt = createCookieDefinitions(true).sessionToken.name
  const token = await encode({ token: { sub: "1" }, secret: "a".repeat(32), salt })
  const claims = await decode({ token, secret: "a".repeat(32), salt })
  const [encodedHeader = ""] = token.split(".")
  const header = JSON.parse(Buffer.from(encodedHeader, "base64url").toString())
  return [
    "## Session token",
    renderCode("json", JSON.stringify(header, undefined, 2)),
    `Claims that every token has: ${Object.keys(claims ?? {}).join(", ")}`,
  ]
}

const optionalTables = { sessionRecords: true, secondFactor: true } as const

function reportTables(): string[] {
  return (["sqlite", "postgres", "mysql"] as const).flatMap((dialect) => [
    `## Tables in ${dialect}`,
    renderCode("sql", migrationSql(dialect, optionalTables).trim()),
  ])
}

/** Lists the keys with `<id>` in place of what each is about. */
function listRedisKeys(): string[] {
  const { changes, ...keys } = createSingleSlotKeys("latchkey")
  return [...Object.values(keys), ...Object.values(changes)].map((key) =>
    typeof key === "string" ? key : key("<id>"),
  )
}

const silentTerminal = { out: () => undefined, err: () => undefined }

/** Command lines that succeed, find a problem, and are invalid. */
const commandLines = [
  "secret",
  "explain UntrustedHost",
  "explain no-such-code",
  "doctor no-such-file.ts",
  "no-such-command",
  "doctor --no-such-option",
]

/** Runs the command lines, and lists them with their exit codes. */
async function listExitCodes(): Promise<string[]> {
  const lines: string[] = []
  for (const line of commandLines)
    lines.push(`- \`latchkey ${line}\`: ${await main(line.split(" "), silentTerminal)}`)
  return lines
}

function reportCommands(): string[] {
  const { commands } = createProgram(silentTerminal, () => undefined)
  return commands.flatMap((command) => [
    `## \`latchkey ${command.name()}\``,
    renderCode("text", command.helpInformation().trim()),
  ])
}

function renderCode(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function renderList(names: readonly string[]): string {
  return names.map((name) => `- \`${name}\``).join("\n")
}
