import { readdirSync } from "node:fs"
import { basename } from "node:path"
import * as browserClient from "@latchkey/client"
import * as passkeys from "@latchkey/client/webauthn"
import * as core from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import type {
  Account,
  AuthMiddleware,
  DefaultSession,
  GetSessionResult,
  MiddlewareAuthConfig,
  Profile,
  Session,
  User,
} from "@latchkey/express"
import * as latchkey from "@latchkey/express"
import * as adapters from "@latchkey/express/adapters"
import * as client from "@latchkey/express/client"
import type { Provider } from "@latchkey/express/providers"
import * as webauthn from "@latchkey/express/webauthn"
import express, { type Request } from "express"
import { expect, expectTypeOf, test } from "vitest"
import { createConfig } from "./support/config.ts"

interface UserParameters {
  id: string
}

type FirstParameter<F extends (...parameters: never[]) => unknown> = Parameters<F>[0]

test("exports the same names as every framework package", () => {
  expect(Object.keys(latchkey).sort()).toEqual([
    "AccessTokenError",
    "AuthError",
    "CredentialsSignin",
    "LastAccount",
    "LastFactor",
    "MiddlewareAuth",
    "SessionNotFresh",
    "assertFreshSession",
    "customFetch",
    "defineConfig",
    "getAccessToken",
    "getAuth",
    "getSession",
    "getSessionInfo",
    "requireFreshSession",
    "signIn",
    "signOut",
    "updateSession",
  ])
  expect(latchkey.AuthError).toBe(errors.AuthError)
  expect(latchkey.CredentialsSignin).toBe(errors.CredentialsSignin)
  expect(latchkey.customFetch).toBe(core.customFetch)
  expect(latchkey.defineConfig).toBe(core.defineConfig)
  expect(adapters.isDate("2026-11-20T00:00:00Z")).toBe(true)
})

test("exports the browser client", () => {
  expect({ ...client }).toEqual({ ...browserClient })
  expect({ ...webauthn }).toEqual({ ...passkeys })
})

const catalogue = readdirSync(new URL("../../core/src/providers/catalogue/", import.meta.url))
const providers = [
  ...["credentials", "nodemailer", "passkey", "webauthn"],
  ...catalogue.map((file) => basename(file, ".ts")),
]

test.each(["tenantidp", "socialidp", "credentials", "nodemailer", "github", "microsoft-entra-id"])(
  "has an entry for the provider %s",
  (id) => expect(providers).toContain(id),
)

test.each(providers)("exports the provider %s of the core", async (id) => {
  const own = await import(`@latchkey/express/providers/${id}`)
  const original = await import(`@latchkey/core/providers/${id}`)
  expect({ ...own }).toEqual({ ...original })
  expect(own.default).toBeTypeOf("function")
})

test("is compatible with the types of Express", () => {
  const config = createConfig()
  express().use("/auth", latchkey.MiddlewareAuth(config))
  express().get("/users/:id", async (req, res) => {
    expectTypeOf(await latchkey.getSession(req, config, res)).toEqualTypeOf<Session | null>()
    expectTypeOf(req.params.id).toEqualTypeOf<string>()
  })
  expectTypeOf<Request<UserParameters>>().toExtend<FirstParameter<typeof latchkey.getSession>>()
  expectTypeOf(latchkey.MiddlewareAuth).returns.toEqualTypeOf<AuthMiddleware>()
  expectTypeOf<ReturnType<typeof latchkey.getSession>>().toEqualTypeOf<GetSessionResult>()
  expectTypeOf<MiddlewareAuthConfig>().not.toHaveProperty("raw")
  expectTypeOf<MiddlewareAuthConfig["providers"]>().toEqualTypeOf<Provider[]>()
  expectTypeOf<Session>().toExtend<DefaultSession>()
  expectTypeOf<Account["provider"] | User["id"] | Profile["sub"]>().toExtend<
    string | null | undefined
  >()
})
