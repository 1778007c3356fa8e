/** The WebSocket proxy that the driver of Neon connects through, in front of a PostgreSQL server. */

import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import { createWebSocketStream, WebSocketServer } from "ws"

export interface NeonProxy extends AsyncDisposable {
  /** The value of `neonConfig.wsProxy`. */
  readonly address: string
}

/** @param postgresUrl the server that every connection is forwarded to */
export async function startNeonProxy(postgresUrl: string): Promise<NeonProxy> {
  const { hostname, port } = new URL(postgresUrl)
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  server.on("connection", (webSocket) => {
    const client = createWebSocketStream(webSocket)
    const database = connect(Number(port), hostname)
    // Either side may close first.
    client.on("error", () => database.destroy())
    database.on("error", () => client.destroy())
    client.pipe(database).pipe(client)
  })
  await once(server, "listening")
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
