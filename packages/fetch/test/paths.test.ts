/** The spelling of a path: a guard in front of the application must not be bypassed by another one. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { FetchAuth } from "@latchkey/fetch"
import * as h3 from "@latchkey/fetch/h3"
import { type AuthEnv, authMiddleware } from "@latchkey/fetch/hono"
import { H3 } from "h3"
import { createApp, defineEventHandler, toNodeListener } from "h3-1"
import { Hono } from "hono"
import { expect, test } from "vitest"
import { createConfig } from "./support/config.ts"
import { listen } from "./support/serve.ts"

const auth = FetchAuth(createConfig())

/** Sends a request with an unmodified target. */
async function getStatus(origin: string, path: string, headers = {}) {
  const outgoing = request(origin, { path, headers }).end()
  const [response] = (await once(outgoing, "response")) as [IncomingMessage]
  return response.resume().statusCode
}

const otherSpellings = ["/x/../auth/signin", "/auth/./signin", "//auth/signin", "/auth//signin"]

test("h3 1 responds to a path only as it was received, and refuses malformed hosts", async () => {
  const app = createApp().use(defineEventHandler(h3.authHandler(auth)))
  const origin = await listen(toNodeListener(app))
  expect(await getStatus(origin, "/auth/signin")).toBe(200)
  for (const path of otherSpellings)
    expect([path, await getStatus(origin, path)]).toEqual([path, 404])
  for (const host of ["evil.example/auth/signin?", "a@evil.example", "app example"])
    expect(await getStatus(origin, "/page", { host })).toBe(400)
})

test("h3 2 does so, too", async () => {
  const app = new H3({ silent: true }).use(h3.authMiddleware(auth))
  const getStatusOf = async (target: string) => {
    const incoming = new Request(new URL(target, "https://app.example"))
    Object.assign(incoming, { runtime: { node: { req: { url: target } } } })
    return (await app.fetch(incoming)).status
  }
  expect(await getStatusOf("/auth/signin")).toBe(200)
  expect(await getStatusOf("/x/../auth/signin")).toBe(404)
})

test("Hono does so, too", async () => {
  const app = new Hono<AuthEnv<typeof auth>>().use(authMiddleware(auth))
  const getStatusOf = async (target: string) => {
    const incoming = new Request(new URL(target, "https://app.example"))
    return (await app.fetch(incoming, { incoming: { url: target } })).status
  }
  expect(await getStatusOf("/auth/signin")).toBe(200)
  expect(await getStatusOf("/x/../auth/signin")).toBe(404)
})
