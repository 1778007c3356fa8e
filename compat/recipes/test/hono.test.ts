/** The application of docs/hono.md, on Node.js. */
import { once } from "node:events"
import { serve } from "@hono/node-server"
import { createTestBrowser } from "@latchkey/testing"
import { Hono, type MiddlewareHandler } from "hono"
import { bodyLimit } from "hono/body-limit"
import { compress } from "hono/compress"
import { csrf } from "hono/csrf"
import { secureHeaders } from "hono/secure-headers"
import { expect, onTestFinished, test } from "vitest"
import { startRecipe } from "./support/recipe-app.ts"
import { testRecipe } from "./support/recipe-tests.ts"

/** Starts the application on Node.js, with middleware in front of it. */
async function startApp(...middleware: MiddlewareHandler[]) {
  const { app } = await import("../hono/app.ts")
  const { config } = await import("../hono/auth.ts")
  const outerApp = new Hono()
  for (const handler of middleware) outerApp.use(handler)
  outerApp.route("/", app)
  const server = serve({ fetch: outerApp.fetch, port: 0, hostname: "127.0.0.1" })
  await once(server, "listening")
  return { config, server, close: () => server.close() }
}

testRecipe(() => startApp())

const ada = { username: "ada", password: "correct horse" }

test("middleware that reads no body can be in front of the library", async () => {
  const middleware = [bodyLimit({ maxSize: 50_000 }), csrf(), compress(), secureHeaders()]
  const { url, close } = await startRecipe(() => startApp(...middleware))
  onTestFinished(close)
  const browser = createTestBrowser(url)
  await browser.signIn("credentials", ada)
  expect(await (await browser.open("/members")).text()).toBe("Hello Ada")
})

test("a form that middleware has read is refused", async () => {
  const { url, close } = await startRecipe(() =>
    startApp(async (c, next) => {
      await c.req.parseBody()
      await next()
    }),
  )
  onTestFinished(close)
  const browser = createTestBrowser(url)
  expect((await browser.signIn("credentials", ada)).status).toBe(400)
  expect(await browser.getSession()).toBeNull()
})
