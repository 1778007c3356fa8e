/** Starts PgBouncer in front of the server, with transaction pooling. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { postgresUrl } from "./connections.ts"

// Debian installs it where the paths of ordinary users do not lead.
const program = process.env["LATCHKEY_PGBOUNCER"] ?? "/usr/sbin/pgbouncer"

/** The number of connections to a database: fewer than the suite's callers. */
const poolSize = 4

/** Whether PgBouncer is installed. */
export const hasPgBouncer = findPgBouncer()

function findPgBouncer(): boolean {
  if (spawnSync(program, ["--version"]).status === 0) return true
  const message = `There is no ${program} (LATCHKEY_PGBOUNCER)`
  if (process.env["CI"] === "true") throw new Error(message)
  console.warn(`${message}. Tests that start one are skipped.`)
  return false
}

/** A running PgBouncer. */
export interface PgBouncer extends AsyncDisposable {
  /** Returns the URL of a database through PgBouncer. */
  urlOf(database: string): string
}

/** @throws Error with the output of PgBouncer if it does not start */
export async function startPgBouncer(): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-pgbouncer-"))
  const port = await freePort()
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(file, createSettings(port), { mode: 0o644 })
  // It refuses to run as root, and reads the file before it changes its user.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  const child = spawn(program, [...user, file], { stdio: ["ignore", "ignore", "pipe"] })
  try {
    await waitUntilUp(child)
  } finally {
    rmSync(folder, { recursive: true })
  }
  return {
    urlOf: (database) =>
      `postgres://${new URL(postgresUrl).username}@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    },
  }
}

function createSettings(port: number): string {
  const { hostname, port: server, username, password } = new URL(postgresUrl)
  const secret = password === "" ? "" : ` password=${decodeURIComponent(password)}`
  return `[databases]
* = host=${hostname} port=${server || 5432} user=${username}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
`
}

/** Waits until it is ready. */
function waitUntilUp(child: ChildProcess): Promise<void> {
  let output = ""
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", () => reject(new Error(`${program} ended: ${output}`)))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4000)
      if (output.includes("process up")) resolve()
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (address === null || typeof address === "string") throw new TypeError("No port was given")
  return address.port
}
