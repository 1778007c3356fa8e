/** Starts the server of an application, in production or development mode. */
import { createServer } from "node:net"
import type { Environment } from "./catalogue.ts"
import { type RunningProgram, startProgram, stopProgram } from "./command.ts"
import { countSeconds } from "./seconds.ts"

/** A running server. */
export interface RunningServer extends AsyncDisposable {
  /** Its output so far, including errors. */
  output(): string
  stop(): Promise<void>
}

/** The mode of the server. */
export type ServerMode = "production" | "development"

/**
 * Starts the server of an application, and waits until it responds.
 *
 * @param folder the folder of the built application
 * @throws Error with its output if it exits, or does not respond within a minute
 */
export async function startServer(
  folder: string,
  port: number,
  env: Environment,
  mode: ServerMode = "production",
): Promise<RunningServer> {
  const server =
    mode === "production"
      ? // What `npm start` does, without the start of npm.
        startProgram(process.execPath, ["--run", "start"], {
          cwd: folder,
          env: { NODE_ENV: mode, ...env },
        })
      : startProgram("npm", ["run", "dev", "--", "--port", String(port)], { cwd: folder, env })
  try {
    await countSeconds("start", () => waitForServer(server, port))
  } catch (error) {
    await stopProgram(server)
    throw error
  }
  const stopServer = () => stopProgram(server)
  return { output: server.output, stop: stopServer, [Symbol.asyncDispose]: stopServer }
}

/**
 * Waits until a server responds.
 *
 * @throws Error with its output if it exits, or does not respond within a minute
 */
export async function waitForServer(server: RunningProgram, port: number): Promise<void> {
  let hasEnded = false
  void server.exitCode.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && !hasEnded) {
    const isOpen = await fetch(`http://127.0.0.1:${port}/favicon.ico`, {
      redirect: "manual",
      signal: AbortSignal.timeout(5000),
    }).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    )
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No answer from port ${port}:\n${server.output()}`)
}

/** Returns the preferred port if it is free, so that builds that depend on it can be reused; otherwise another one. */
export async function findFreePort(preferredPort: number): Promise<number> {
  return (await tryListen(preferredPort)) ?? (await tryListen(0)) ?? preferredPort
}

function tryListen(port: number): Promise<number | undefined> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once("error", () => resolve(undefined))
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address()
      const freePort = typeof address === "object" ? address?.port : undefined
      probe.close(() => resolve(freePort))
    })
  })
}
