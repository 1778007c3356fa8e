/** The application of docs/hono.md, on Node.js. */
import { once } from "node:events"
import { serve } from "@hono/node-server"
import { testRecipe } from "./support/recipe-tests.ts"

testRecipe(async () => {
  const { app } = await import("../hono/app.ts")
  const { config } = await import("../hono/auth.ts")
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" })
  await once(server, "listening")
  return { config, server, close: () => server.close() }
})
