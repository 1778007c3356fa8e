/** Opens and closes ports. */
import { createServer, type RequestListener, type Server } from "node:http"

export interface Closable {
  close(): Promise<void>
}

/** A port that cannot be opened. */
export class PortUnavailable extends Error {
  override name = "PortUnavailable"
  readonly port: number
  /** The code of the operating system, such as `EADDRINUSE`. */
  readonly code: string

  constructor(port: number, code: string, cause: unknown) {
    super(`Port ${port} is not available (${code}).`, { cause })
    this.port = port
    this.code = code
  }
}

/**
 * Serves HTTP on this machine only, on all addresses that `host` may resolve to.
 *
 * @throws PortUnavailable
 */
export async function serve(
  host: string,
  port: number,
  listener: RequestListener,
): Promise<Closable> {
  const first = await openPort("127.0.0.1", port, listener)
  if (host !== "localhost") return first
  try {
    const second = await openPort("::1", port, listener)
    return closeInReverse([first, second])
  } catch (error) {
    // Without IPv6, there is no second address.
    if (error instanceof PortUnavailable && error.code !== "EADDRINUSE") return first
    await first.close()
    throw error
  }
}

/** Closes several resources, the last one first. */
export function closeInReverse(running: readonly Closable[]): Closable {
  return {
    async close() {
      for (const each of running.toReversed()) await each.close()
    },
  }
}

async function openPort(
  address: string,
  port: number,
  listener: RequestListener,
): Promise<Closable> {
  const server = createServer(listener)
  await waitUntilListening(port, server, () => server.listen(port, address))
  return { close: () => closeServer(server) }
}

/** The events of a server that starts. */
interface ListenEmitter {
  once(event: "listening" | "error", handler: (error: unknown) => void): unknown
  off(event: "listening" | "error", handler: (error: unknown) => void): unknown
}

/**
 * Waits until a server listens.
 *
 * @throws PortUnavailable
 */
export async function waitUntilListening(
  port: number,
  server: ListenEmitter,
  start: () => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onError = (cause: unknown) => {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
      reject(new PortUnavailable(port, code, cause))
    }
    server.once("error", onError)
    server.once("listening", () => {
      server.off("error", onError)
      resolve()
    })
    start()
  })
}

async function closeServer(server: Server): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await end
}
