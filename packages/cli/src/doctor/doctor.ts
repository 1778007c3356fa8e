/** `latchkey doctor`: loads a configuration and says what is wrong with it. */
import { existsSync } from "node:fs"
import { loadEnvFile } from "node:process"
import { type AuthConfig, setEnvDefaults } from "@latchkey/core"
import type { DoctorCommand } from "../command-line.ts"
import type { Terminal } from "../terminal.ts"
import { adapterFindings } from "./adapter.ts"
import { addressFindings } from "./address.ts"
import { basePathOf } from "./base-path.ts"
import { configurationFindings } from "./configuration.ts"
import { cookieFindings } from "./cookies.ts"
import { discoveryFindings } from "./discovery.ts"
import { environmentFindings, missingFile } from "./environment.ts"
import { described, type Finding, wrong } from "./finding.ts"
import { load } from "./load.ts"
import { mailFindings } from "./mail.ts"
import { peerFindings } from "./peers.ts"
import { report } from "./report.ts"
import { requestFindings } from "./requests.ts"
import type { Subject } from "./subject.ts"

/** Prints what it found; 1 when there is an error among it. */
export async function doctor(command: DoctorCommand, terminal: Terminal): Promise<number> {
  const { file, findings } = await examined(command)
  if (command.json) terminal.out(JSON.stringify({ file, findings }, null, 2))
  else terminal.out(report(file, findings))
  return findings.some(({ level }) => level === "error") ? 1 : 0
}

interface Examined {
  readonly file: string
  readonly findings: readonly Finding[]
}

async function examined(command: DoctorCommand): Promise<Examined> {
  const { file = "auth.ts" } = command
  // Before the configuration is loaded: it may read the environment by itself.
  if (command.production) process.env["NODE_ENV"] = "production"
  const envFile = command.env ?? ".env"
  if (existsSync(envFile)) loadEnvFile(envFile)
  else if (command.env !== undefined) return { file, findings: [missingFile(command.env)] }
  const loaded = await load(command.file, command.export)
  if (loaded.kind === "failed") return { file, findings: [loaded.finding] }
  const subject = subjectOf(command, loaded.file, loaded.written)
  if (!("config" in subject)) return { file: loaded.file, findings: [subject] }
  return { file: loaded.file, findings: await findingsOf(subject) }
}

const silent = { error: () => {}, warn: () => {}, debug: () => {} }

function subjectOf(command: DoctorCommand, file: string, written: object): Subject | Finding {
  const { env } = process
  const basePath = basePathOf({ written, authUrl: env["AUTH_URL"], url: command.url })
  const config = { ...written, basePath, logger: silent, debug: false } as unknown as AuthConfig
  try {
    setEnvDefaults(env, config, true)
  } catch (error) {
    return wrong(
      "provider-fails",
      `A provider fails while the environment is put in: ${described(error)}`,
      "A provider given as a function is called with {} first: it must not read what is missing.",
    )
  }
  const production = env["NODE_ENV"] === "production"
  const address = command.url ?? addressIn(env["AUTH_URL"])
  const url = new URL(address ?? (production ? "https://localhost" : "http://localhost:3000"))
  const isGuessed = production && address === undefined
  return { config, file, env, url, isGuessed, production, online: command.online }
}

function addressIn(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? url : undefined
}

async function findingsOf(subject: Subject): Promise<Finding[]> {
  const problems = [...configurationFindings(subject)]
  const findings = [
    ...problems,
    ...environmentFindings(subject),
    ...addressFindings(subject),
    ...cookieFindings(subject),
    ...peerFindings(subject),
  ]
  for await (const finding of adapterFindings(subject)) findings.push(finding)
  for await (const finding of discoveryFindings(subject)) findings.push(finding)
  for await (const finding of mailFindings(subject)) findings.push(finding)
  // A configuration with problems refuses every request: there is nothing to learn from that.
  if (problems.some(({ level }) => level === "error")) return findings
  for await (const finding of requestFindings(subject)) findings.push(finding)
  return findings
}
