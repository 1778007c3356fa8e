/** Starts the application on HOST and PORT. */
import { serve } from "@hono/node-server"
import { app } from "./app.ts"
import { auth } from "./auth.ts"

const { HOST: hostname = "127.0.0.1", PORT: port = "3000" } = process.env

// A server in production that could sign nobody in ends here.
auth.checkConfigAtStartup()

const server = serve({ fetch: app.fetch, hostname, port: Number(port) }, () => {
  console.log(`Listening on http://${hostname}:${port}`)
})

// Answers pending requests before it exits.
process.once("SIGTERM", () => server.close(() => process.exit()))
