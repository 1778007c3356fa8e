import { connect, createServer, type Socket } from "node:net"
import type { Interruption } from "./context.ts"

/** A way to a database that breaks when it is told to. */
export interface InterruptibleConnection extends AsyncDisposable {
  /** Where it is, on 127.0.0.1. */
  readonly port: number
  /** For the member `interrupt` of what `connect` gives to the suite. */
  interrupt(at: number): Interruption
}

/**
 * Listens on a port of this machine and passes everything on to a database and back. A message is what arrives at
 * once, from either side; the one that is named by `interrupt` is lost, and with it the connection that it came by.
 *
 * @throws Error when it cannot listen
 *
 * @example
 * const way = await interruptibleConnection({ port: 5432 })
 * const pool = new Pool({ host: "127.0.0.1", port: way.port })
 * adapterConformance({ connect: () => ({ adapter, db, interrupt: way.interrupt }) })
 */
export async function createInterruptibleConnection(database: {
  readonly host?: string
  readonly port: number
}): Promise<InterruptibleConnection> {
  const { host = "127.0.0.1", port } = database
  const sockets = new Set<Socket>()
  let pendingInterruption: { left: number; broken: boolean } | undefined

  /** Tells whether a message is the one that gets lost. */
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
