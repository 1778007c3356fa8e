/** A database server for one test, which can be killed and restarted with its data. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../../applications/application-server.ts"
import { findProgram, type ProcessAccount } from "../programs.ts"

/** A running server. */
export interface DatabaseServer extends AsyncDisposable {
  /** The connection URL for applications. */
  readonly url: string
  /** Kills the server, as a power failure does. */
  kill(): Promise<void>
  /** Restarts the server with all confirmed changes. */
  restart(): Promise<void>
}

/** The programs to start a server. */
export interface DatabaseServerOptions {
  readonly account: ProcessAccount
  /** The program, and its arguments, that initialises a new data directory, if required. */
  readonly createInitCommand?: (folder: string) => Command
  readonly createStartCommand: (folder: string, port: number) => Command
  /** The output that signals readiness. */
  readonly readyMessage: string
  readonly createUrl: (port: number) => string
}

type Command = readonly [program: string, ...args: string[]]

/** How long a start may take, in milliseconds, including recovery. */
const maxStartTime = 30_000

/** Starts a server in a new folder, which is deleted with it. */
export async function startDatabaseServer(options: DatabaseServerOptions): Promise<DatabaseServer> {
  const { account, createInitCommand, createStartCommand, readyMessage, createUrl } = options
  const folder = mkdtempSync(join(tmpdir(), "latchkey-database-"))
  if (account.uid !== undefined && account.gid !== undefined) {
    chownSync(folder, account.uid, account.gid)
  }
  if (createInitCommand) {
    const [program, ...args] = createInitCommand(folder)
    execFileSync(requireProgram(program), args, { ...account, cwd: folder, stdio: "pipe" })
  }
  const port = await findFreePort(0)
  const start = () =>
    startUntilReady(createStartCommand(folder, port), {
      account,
      folder,
      readyMessage: readyMessage,
    })
  let child = await start()
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  return {
    url: createUrl(port),
    kill,
    async restart() {
      await kill()
      child = await start()
    },
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

interface StartOptions {
  readonly account: ProcessAccount
  readonly folder: string
  readonly readyMessage: string
}

/** Starts the server. Retries once while the previous process still locks the folder. */
async function startUntilReady(command: Command, options: StartOptions): Promise<ChildProcess> {
  const deadline = Date.now() + maxStartTime
  for (;;) {
    const { child, said } = await startOnce(command, options)
    if (said.includes(options.readyMessage)) return child
    if (Date.now() > deadline) throw new Error(`${command[0]} did not start:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Resolves when the server is ready or has ended. */
async function startOnce(
  [program, ...args]: Command,
  { account, folder, readyMessage }: StartOptions,
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(requireProgram(program), args, { ...account, cwd: folder, stdio: "pipe" })
  const timer = setTimeout(() => child.kill("SIGKILL"), maxStartTime)
  let output = ""
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject).once("close", () => resolve())
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        if (output.includes(readyMessage)) return
        output += text
        if (output.includes(readyMessage)) resolve()
      })
    }
  }).finally(() => clearTimeout(timer))
  return { child, said: output }
}

function requireProgram(program: string): string {
  const path = findProgram(program)
  if (path === undefined) throw new Error(`${program} is not installed`)
  return path
}
