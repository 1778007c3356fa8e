/** A database server that belongs to one test: it may be killed, and comes back with what it had. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../applications/server.ts"
import { type Account, pathOf } from "../programs.ts"

/** A server that runs. */
export interface DatabaseServer extends AsyncDisposable {
  /** What applications connect to. */
  readonly url: string
  /** It dies, as by a power failure. */
  kill(): Promise<void>
  /** It starts again, with all that it had confirmed. */
  restart(): Promise<void>
}

/** How a server is started. */
export interface Recipe {
  readonly account: Account
  /** Makes a new data folder: a program and its arguments, if there is something to do. */
  readonly make?: (folder: string) => Command
  readonly run: (folder: string, port: number) => Command
  /** What it writes when it can be used. */
  readonly ready: string
  readonly url: (port: number) => string
}

type Command = readonly [program: string, ...args: string[]]

/** How long a server may take to start, in milliseconds: it may have to recover. */
const patience = 30_000

/** Starts a server in a new folder, which goes with it. */
export async function startServer(recipe: Recipe): Promise<DatabaseServer> {
  const { account, make, run, ready, url } = recipe
  const folder = mkdtempSync(join(tmpdir(), "latchkey-database-"))
  if (account.uid !== undefined && account.gid !== undefined) {
    chownSync(folder, account.uid, account.gid)
  }
  if (make) {
    const [program, ...args] = make(folder)
    execFileSync(installed(program), args, { ...account, cwd: folder, stdio: "pipe" })
  }
  const port = await freePort(0)
  const start = () => untilReady(run(folder, port), { account, folder, ready })
  let child = await start()
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  return {
    url: url(port),
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

interface Place {
  readonly account: Account
  readonly folder: string
  readonly ready: string
}

/** Starts it, once more while what is left of the one before still holds the folder. */
async function untilReady(command: Command, place: Place): Promise<ChildProcess> {
  const until = Date.now() + patience
  for (;;) {
    const { child, said } = await attempt(command, place)
    if (said.includes(place.ready)) return child
    if (Date.now() > until) throw new Error(`${command[0]} did not start:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Resolves when the server is ready, or has ended. */
async function attempt(
  [program, ...args]: Command,
  { account, folder, ready }: Place,
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(installed(program), args, { ...account, cwd: folder, stdio: "pipe" })
  const timer = setTimeout(() => child.kill("SIGKILL"), patience)
  let said = ""
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject).once("close", () => resolve())
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        if (said.includes(ready)) return
        said += text
        if (said.includes(ready)) resolve()
      })
    }
  }).finally(() => clearTimeout(timer))
  return { child, said }
}

function installed(program: string): string {
  const path = pathOf(program)
  if (path === undefined) throw new Error(`${program} is not installed`)
  return path
}
