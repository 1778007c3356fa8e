import { connect, createServer, type Socket } from "node:net"
import type { Interruption } from "./context.ts"

/** A proxy to a database whose connections can be broken. */
export interface InterruptibleConnection extends AsyncDisposable {
  /** Its port on 127.0.0.1. */
  readonly port: number
  /** Serves as the member `interrupt` of the context that `connect` returns. */
  interrupt(at: number): Interruption
}

/**
 * Listens on a local port and forwards everything to a database and back. A message is what arrives at once from either
 * side. The message that `interrupt` names is lost, and its connection is broken.
 *
 * @throws Error if it cannot listen
 *
 * @example
 * const proxy = await createInterruptibleConnection({ port: 5432 })
 * const pool = new Pool({ host: "127.0.0.1", port: proxy.port })
 * testAdapterConformance({ connect: () => ({ adapter, db, interrupt: proxy.interrupt }) })
 */
export async function createInterruptibleConnection(database: {
  readonly host?: string
  readonly port: number
}): Promise<InterruptibleConnection> {
  const { host = "127.0.0.1", port } = database
  const sockets = new Set<Socket>()
  let pendingInterruption: { left: number; broken: boolean } | undefined

  /** Whether a message is the one to lose. */
  function isMessageLost(): boolean {
    if (!pendingInterruption || pendingInterruption.broken) return false
    pendingInterruption.broken = pendingInterruption.left === 0
    pendingInterruption.left -= 1
    return pendingInterruption.broken
  }

  function forwardMessages(from: Socket, to: Socket): void {
    sockets.add(from)
    from.setNoDelay(true)
    from.on("data", (message) => {
      if (isMessageLost()) {
        from.destroy()
        to.destroy()
      } else to.write(message)
    })
    from.on("error", () => to.destroy())
    from.on("end", () => to.end())
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
  }

  const server = createServer((client) => {
    const upstream = connect({ host, port })
    forwardMessages(client, upstream)
    forwardMessages(upstream, client)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("There is no port.")
  return {
    port: address.port,
    interrupt(at) {
      const interruption = { left: at, broken: false }
      pendingInterruption = interruption
      return {
        end() {
          if (pendingInterruption === interruption) pendingInterruption = undefined
          return interruption.broken
        },
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
