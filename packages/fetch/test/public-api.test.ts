import { readdirSync } from "node:fs"
import { basename } from "node:path"
import * as browserClient from "@latchkey/client"
import * as passkeys from "@latchkey/client/webauthn"
import * as core from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import type { DefaultSession, FetchAuthConfig, RequestAuth, Session } from "@latchkey/fetch"
import * as latchkey from "@latchkey/fetch"
import * as adapters from "@latchkey/fetch/adapters"
import * as client from "@latchkey/fetch/client"
import { deriveAuth } from "@latchkey/fetch/elysia"
import { getAuth as getEventAuth } from "@latchkey/fetch/h3"
import { type AuthEnv, authMiddleware } from "@latchkey/fetch/hono"
import type { Provider } from "@latchkey/fetch/providers"
import { createMiddleware } from "@latchkey/fetch/react-router"
import * as webauthn from "@latchkey/fetch/webauthn"
import { Elysia } from "elysia"
import type { H3Event } from "h3"
import { Hono } from "hono"
import type { LoaderFunctionArgs } from "react-router"
import { expect, expectTypeOf, test } from "vitest"
import { createConfig } from "./support/config.ts"

test("exports what every framework package exports", () => {
  expect(Object.keys(latchkey).sort()).toEqual([
    "AccessTokenError",
    "AuthError",
    "CredentialsSignin",
    "FetchAuth",
    "LastAccount",
    "LastFactor",
    "SessionNotFresh",
    "assertFreshSession",
    "customFetch",
    "defineConfig",
    "getSessionInfo",
  ])
  expect(latchkey.AuthError).toBe(errors.AuthError)
  expect(latchkey.CredentialsSignin).toBe(errors.CredentialsSignin)
  expect(latchkey.customFetch).toBe(core.customFetch)
  expect(latchkey.defineConfig).toBe(core.defineConfig)
  expect(adapters.isDate("2026-11-20T00:00:00Z")).toBe(true)
  expect({ ...client }).toEqual({ ...browserClient })
  expect({ ...webauthn }).toEqual({ ...passkeys })
})

const catalogue = readdirSync(new URL("../../core/src/providers/catalogue/", import.meta.url))
const providers = [
  ...["credentials", "nodemailer", "passkey", "webauthn"],
  ...catalogue.map((file) => basename(file, ".ts")),
]

test.each(providers)("exports the provider %s of the core", async (id) => {
  const own = await import(`@latchkey/fetch/providers/${id}`)
  const original = await import(`@latchkey/core/providers/${id}`)
  expect({ ...own }).toEqual({ ...original })
  expect(own.default).toBeTypeOf("function")
})

test("the configuration has the options of the core without `raw`", () => {
  expectTypeOf<FetchAuthConfig>().not.toHaveProperty("raw")
  expectTypeOf<FetchAuthConfig["providers"]>().toEqualTypeOf<Provider[]>()
  expectTypeOf<Session>().toExtend<DefaultSession>()
})

test("the session has the type that the `session` callback returns, in every framework", () => {
  const auth = latchkey.FetchAuth(
    latchkey.defineConfig({
      ...createConfig(),
      callbacks: { session: ({ session }) => ({ ...session, role: "gardener" }) },
    }),
  )
  const request = new Request("https://app.example")
  type Role = Promise<string | undefined>
  const plain = async () => (await auth.for(request).getSession())?.role
  expectTypeOf(plain).returns.toEqualTypeOf<Role>()
  const guarded = async () => (await auth.for(request).requireSession()).role
  expectTypeOf(guarded).returns.toEqualTypeOf<Promise<string>>()

  const app = new Hono<AuthEnv<typeof auth>>().use(authMiddleware(auth))
  app.get("/", async (c) => {
    expectTypeOf((await c.var.auth.requireSession()).role).toEqualTypeOf<string>()
    return c.text("")
  })
  const inEvent = async (event: H3Event) =>
    (await getEventAuth<typeof auth>(event).requireSession()).role
  expectTypeOf(inEvent).returns.toEqualTypeOf<Promise<string>>()
  new Elysia().derive(deriveAuth(auth)).get("/", async ({ auth }) => {
    expectTypeOf((await auth.requireSession()).role).toEqualTypeOf<string>()
  })
  const { authContext } = createMiddleware(auth)
  const loader = async ({ context }: LoaderFunctionArgs) =>
    (await context.get(authContext).requireSession()).role
  expectTypeOf(loader).returns.toEqualTypeOf<Promise<string>>()
})

test("bindings have the type that the configuration expects", () => {
  interface Bindings {
    readonly DB: object
  }
  const auth = latchkey.FetchAuth((env: Bindings) => {
    expectTypeOf(env.DB).toEqualTypeOf<object>()
    return createConfig()
  })
  expectTypeOf(auth.for).parameter(1).toEqualTypeOf<Bindings | undefined>()
  expectTypeOf(auth.for).returns.toEqualTypeOf<RequestAuth>()
  new Hono<AuthEnv<typeof auth> & { Bindings: Bindings }>().use(authMiddleware(auth))
})
