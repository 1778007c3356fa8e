/** Servers for a single test, which can be stopped, killed and filled. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "redis"

const program = process.env["LATCHKEY_REDIS_SERVER"] ?? "redis-server"

/** Whether Redis is installed. */
export const hasRedisServer = findServer()

function findServer(): boolean {
  const { status } = spawnSync(program, ["--version"])
  if (status === 0) return true
  const message = `There is no ${program} (LATCHKEY_REDIS_SERVER)`
  if (process.env["CI"] === "true") throw new Error(message)
  console.warn(`${message}. Tests that start one of their own are skipped.`)
  return false
}

/** A running server. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** Sends a command. */
  command(...words: string[]): Promise<unknown>
  /** Suspends the server, which keeps its connections. */
  pause(): void
  /** Resumes the server. */
  resume(): void
  /** Kills the server, as a power failure does. */
  kill(): Promise<void>
  /** Starts the server again on the same port, without data. */
  restart(): Promise<void>
}

/** Starts a server without persistence. */
export async function startServer(...settings: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-redis-"))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child = await spawnServer(folder, port, settings)
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  return {
    port,
    url,
    kill,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async command(...words) {
      const client = await createClient({ url }).connect()
      try {
        return await client.sendCommand(words)
      } finally {
        client.destroy()
      }
    },
    async restart() {
      await kill()
      child = await spawnServer(folder, port, settings)
    },
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function spawnServer(
  folder: string,
  port: number,
  settings: readonly string[],
): Promise<ChildProcess> {
  const fixed = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
  const child = spawn(program, [...fixed, "--appendonly", "no", ...settings])
  let output = ""
  for await (const line of child.stdout) {
    output += line
    if (output.includes("Ready to accept connections")) break
  }
  if (child.exitCode !== null) throw new Error(`redis-server did not start: ${output}`)
  return child
}

/** Returns a free port for which port + 10,000 is free, too: the bus port of a cluster node. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => resolve(true))
  })
  if (free) await new Promise((resolve) => server.close(resolve))
  return free
}
