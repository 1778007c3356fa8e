/** An application that runs, as in production or while somebody works on it. */
import { createServer } from "node:net"
import type { Environment } from "./catalogue.ts"
import { type Started, start, stop } from "./command.ts"

/** An application that answers. */
export interface RunningServer extends AsyncDisposable {
  /** What it wrote so far, errors included. */
  output(): string
  stop(): Promise<void>
}

/** How an application runs. */
export type Mode = "production" | "development"

/**
 * Starts the server of an application, and waits until it answers.
 *
 * @param folder where it was built
 * @throws Error with all that it wrote, when it ends or says nothing for 20 seconds
 */
export async function serveApplication(
  folder: string,
  port: number,
  env: Environment,
  mode: Mode = "production",
): Promise<RunningServer> {
  const server =
    mode === "production"
      ? start("npm", ["start"], { cwd: folder, env: { NODE_ENV: mode, ...env } })
      : start("npm", ["run", "dev", "--", "--port", String(port)], { cwd: folder, env })
  try {
    await untilAnswering(server, port)
  } catch (error) {
    await stop(server)
    throw error
  }
  const end = () => stop(server)
  return { output: server.output, stop: end, [Symbol.asyncDispose]: end }
}

/**
 * Waits until a server answers.
 *
 * @throws Error with all that it wrote, when it ends or says nothing for 20 seconds
 */
export async function untilAnswering(server: Started, port: number): Promise<void> {
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  const until = Date.now() + 20_000
  while (Date.now() < until && !hasEnded) {
    const isOpen = await fetch(`http://127.0.0.1:${port}/favicon.ico`, {
      redirect: "manual",
      signal: AbortSignal.timeout(5000),
    }).then(
      (answer) => answer.body?.cancel().then(() => true) ?? true,
      () => false,
    )
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No answer from port ${port}:\n${server.output()}`)
}

/** The wanted port when it is free, so that builds that know it can be used again; else another one. */
export async function freePort(wanted: number): Promise<number> {
  return (await canListen(wanted)) ?? (await canListen(0)) ?? wanted
}

function canListen(port: number): Promise<number | undefined> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once("error", () => resolve(undefined))
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address()
      const found = typeof address === "object" ? address?.port : undefined
      probe.close(() => resolve(found))
    })
  })
}
