import { getSession, MiddlewareAuth, type RequestView } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import express from "express"
import { expect, test } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { serve } from "./support/http.ts"

test("callbacks of `getSession` see the request of the route", async () => {
  let seen: RequestView | undefined
  const config = createConfig({
    callbacks: {
      session({ session, request }) {
        seen = request
        return session
      },
    },
  })
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  app.get("/page", async (req, res) => void res.json(await getSession(req, config)))
  const origin = await serve(app)
  const browser = createTestBrowser(origin)
  await browser.signIn("credentials", alice)
  await browser.fetch("/page?of=alice", { headers: { "x-note": "a note" } })
  expect(seen?.url.href).toBe(`${origin}/page?of=alice`)
  expect(seen?.headers.get("x-note")).toBe("a note")
  expect(seen?.clientAddress).toBe("127.0.0.1")
})
