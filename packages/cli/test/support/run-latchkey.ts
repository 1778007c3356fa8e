/** Runs the command in a temporary folder. */
import { type ChildProcess, execFile, fork } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { Finding } from "../../src/doctor/finding.ts"

// Inside the repository, so that configurations find the packages that they import; not below node_modules, where
// Node.js runs no TypeScript.
const workspace = join(import.meta.dirname, "../../../../.cache/latchkey-cli")
const bin = join(import.meta.dirname, "../../src/bin.ts")

/** A command for `command-host.ts`. */
export interface CommandRequest {
  readonly args: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The result of a run. */
export interface CommandResult {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** The files of the folder, and the environment. */
export interface CommandFixture {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** Creates a folder with files, which is deleted after the test. */
export function createFolder(
  files: CommandFixture["files"] = {},
  parent: string = workspace,
): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, "run-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** A host process, and the folders whose modules it has loaded. */
interface CommandHost {
  readonly process: ChildProcess
  readonly ended: Promise<CommandResult[]>
  readonly folders: Set<string>
}

const hosts: CommandHost[] = []
const nodeOptions = ["--conditions=@latchkey/source"]

/** The variables that every process gets from the environment. */
const processEnv = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
}

/**
 * Runs `latchkey` in a folder, with nothing in the environment but `env`. The process has run other commands before, in
 * other folders: modules of this folder are loaded again each time.
 */
export async function runLatchkey(
  args: readonly string[],
  folder: string,
  env: CommandFixture["env"] = {},
): Promise<CommandResult> {
  const host = hosts.find(({ folders }) => !folders.has(folder)) ?? startHost()
  host.folders.add(folder)
  const request: CommandRequest = { args, folder, env: { PATH: processEnv.PATH, ...env } }
  const answered = once(host.process, "message")
  host.process.send(request)
  const [result] = await Promise.race([answered, host.ended])
  if (result) return result
  throw new Error(`The command ended its process: ${args.join(" ")}`)
}

function startHost(): CommandHost {
  const script = new URL("./command-host.ts", import.meta.url)
  const child = fork(script, { execArgv: nodeOptions, env: processEnv })
  const ended = once(child, "exit").then(() => [])
  const host: CommandHost = { process: child, ended, folders: new Set() }
  hosts.push(host)
  void ended.then(() => hosts.splice(hosts.indexOf(host), 1))
  return host
}

/** Runs `latchkey` in a separate process, as users do. */
export function runLatchkeyProcess(
  args: readonly string[],
  folder: string,
  env: CommandFixture["env"] = {},
): Promise<CommandResult> {
  const options = { cwd: folder, env: { ...processEnv, ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, [...nodeOptions, bin, ...args], options, (error, out, err) => {
      resolve({ status: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err })
    })
  })
}

/** Returns the findings of the doctor in a folder. */
export interface DoctorOutput {
  readonly status: number
  readonly findings: readonly Finding[]
}

export async function runDoctor(
  { files, env }: CommandFixture,
  args: readonly string[] = [],
  run: typeof runLatchkey = runLatchkey,
): Promise<DoctorOutput> {
  const command = ["doctor", "--json", ...args]
  const { status, out, err } = await run(command, createFolder(files), env)
  if (err !== "") throw new Error(err)
  return { status, findings: JSON.parse(out).findings }
}
