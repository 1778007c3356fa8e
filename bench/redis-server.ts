/** Starts our own Redis, so that no other keys are counted. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../scripts/applications/application-server.ts"

const redisProgram = process.env["LATCHKEY_REDIS_SERVER"] ?? "redis-server"

/** A running server without persistence. */
export class RedisServer implements AsyncDisposable {
  readonly url: string
  readonly #process: ChildProcess
  readonly #folder: string

  private constructor(port: number, process: ChildProcess, folder: string) {
    this.url = `redis://127.0.0.1:${port}`
    this.#process = process
    this.#folder = folder
  }

  /** @throws Error if the program is not installed or does not start */
  static async start(): Promise<RedisServer> {
    const port = await findFreePort(0)
    const folder = mkdtempSync(join(tmpdir(), "latchkey-bench-"))
    const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder]
    const child = spawn(redisProgram, [...settings, "--save", "", "--appendonly", "no"], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    await waitUntilReady(child)
    return new RedisServer(port, child, folder)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, "exit")
    this.#process.kill("SIGKILL")
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  let output = ""
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", () => reject(new TypeError(`${redisProgram} ended: ${output}`)))
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4000)
      if (output.includes("Ready to accept connections")) resolve()
    })
  })
}
