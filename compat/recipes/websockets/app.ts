import { createServer, type IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { AuthError, getSession, MiddlewareAuth } from "@latchkey/express"
import express from "express"
import { type WebSocket, WebSocketServer } from "ws"
import { config } from "./auth.ts"

const app = express()
app.use("/auth", MiddlewareAuth(config))

export const server = createServer(app)
const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: 65_536 })

server.on("upgrade", async (req, socket, head) => {
  socket.on("error", () => socket.destroy())
  try {
    if (!isFromOwnPage(req)) return refuse(socket, 403)
    const session = await getSession(req, config)
    if (!session?.user) return refuse(socket, 401)
    const { name } = session.user
    webSocketServer.handleUpgrade(req, socket, head, (webSocket) => {
      webSocket.on("message", (data) => webSocket.send(`${name}: ${data}`))
      closeAtSignOut(webSocket, req)
    })
  } catch (error) {
    refuse(socket, error instanceof AuthError ? error.status : 500)
  }
})

/** Whether a page of this site opens the connection. Browsers let every site open one, with the cookies of the user. */
function isFromOwnPage({ headers: { origin = "", host } }: IncomingMessage): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Checks the session every minute. If the check fails, such as during an outage, the next one decides. */
function closeAtSignOut(webSocket: WebSocket, req: IncomingMessage): void {
  const timer = setInterval(async () => {
    const session = await getSession(req, config).catch(() => undefined)
    if (session === null) webSocket.close(4401, "The session has ended.")
  }, 60_000)
  webSocket.on("close", () => clearInterval(timer))
}
