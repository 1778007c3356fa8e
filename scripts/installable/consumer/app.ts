/** A small application that listens on a free port until it is disposed of. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { getSession, MiddlewareAuth } from "@latchkey/express"
import express, { type Express } from "express"
import { authConfig } from "./auth.ts"

const app: Express = express()
app.use("/auth", MiddlewareAuth(authConfig))
app.get("/members", async (req, res) => {
  const session = await getSession(req, authConfig)
  if (session) res.send(`${session.user?.name} is a ${session.role}`)
  else res.status(401).send("Who are you?")
})

export interface RunningApp extends AsyncDisposable {
  readonly origin: string
}

export async function startApp(): Promise<RunningApp> {
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
