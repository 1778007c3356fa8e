/** Guards and functions that run without the middleware of their framework. */
import { FetchAuth } from "@latchkey/fetch"
import { createOnRequest, getAuth as getAstroAuth } from "@latchkey/fetch/astro"
import * as elysia from "@latchkey/fetch/elysia"
import { getAuth as getEventAuth } from "@latchkey/fetch/h3"
import * as hono from "@latchkey/fetch/hono"
import { createMiddleware } from "@latchkey/fetch/react-router"
import { Elysia } from "elysia"
import { H3 } from "h3"
import { Hono } from "hono"
import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { createConfig } from "./support/config.ts"

const auth = FetchAuth(createConfig())
const request = () => new Request("https://app.example/page")
const missing = "has not run for this request"

test("Hono", async () => {
  for (const guard of [hono.requireSession(), hono.requireFreshSession()]) {
    const app = new Hono<hono.AuthEnv<typeof auth>>()
    app.get("/page", guard, (c) => c.text("secret"))
    app.onError((error, c) => c.text(error.message, 500))
    expect(await (await app.fetch(request())).text()).toMatch(missing)
  }
})

test("h3", async () => {
  const app = new H3({
    silent: true,
    onError: ({ cause }) => new Response(String(Object(cause).message)),
  })
  app.get("/page", (event) => getEventAuth<typeof auth>(event).requireSession())
  expect(await (await app.fetch(request())).text()).toMatch(missing)
})

test("Elysia", async () => {
  const app = new Elysia()
    .onError(({ error }) => String(Object(error).message))
    .get("/page", () => "secret", { beforeHandle: elysia.requireSession() })
  expect(await (await app.fetch(request())).text()).toMatch(missing)
  const unwrapped = new Elysia()
    .onError(({ error }) => String(Object(error).message))
    .derive(elysia.deriveAuth(auth))
    .get("/page", ({ auth }) => auth.getSession())
  expect(await (await unwrapped.fetch(request())).text()).toContain("auth.wrap(app.fetch)")
})

test("React Router", () => {
  const { authContext } = createMiddleware(auth)
  expect(() => new RouterContextProvider().get(authContext)).toThrow("No value found for context")
})

test("Astro, also on prerendered pages", async () => {
  expect(() => getAstroAuth({ locals: {} })).toThrow(missing)
  const locals = {}
  const next = async () => new Response("prerendered")
  await createOnRequest(auth)({ request: request(), locals, isPrerendered: true }, next)
  expect(() => getAstroAuth({ locals })).toThrow(missing)
})
