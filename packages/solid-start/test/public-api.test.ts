import { readdirSync } from "node:fs"
import { basename } from "node:path"
import * as passkeys from "@latchkey/client/webauthn"
import * as core from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import type {
  Account,
  AuthConfig,
  DefaultSession,
  GetSessionResult,
  Profile,
  ReactiveAuthConfig,
  ReactiveAuthHandlers,
  Session,
  User,
} from "@latchkey/solid-start"
import * as latchkey from "@latchkey/solid-start"
import * as adapters from "@latchkey/solid-start/adapters"
import * as client from "@latchkey/solid-start/client"
import type { Provider } from "@latchkey/solid-start/providers"
import * as webauthn from "@latchkey/solid-start/webauthn"
import { expect, expectTypeOf, test } from "vitest"
import { createConfig } from "./support/config.ts"

test("exports the same names as every framework package", () => {
  expect(Object.keys(latchkey).sort()).toEqual([
    "AccessTokenError",
    "AuthError",
    "CredentialsSignin",
    "LastAccount",
    "LastFactor",
    "ReactiveAuth",
    "SessionNotFresh",
    "assertFreshSession",
    "checkConfigAtStartup",
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
  const own = await import(`@latchkey/solid-start/providers/${id}`)
  const original = await import(`@latchkey/core/providers/${id}`)
  expect({ ...own }).toEqual({ ...original })
  expect(own.default).toBeTypeOf("function")
})

test("has the types of the specification", () => {
  expectTypeOf(latchkey.ReactiveAuth).returns.toEqualTypeOf<ReactiveAuthHandlers>()
  expectTypeOf<ReturnType<typeof latchkey.getSession>>().toEqualTypeOf<GetSessionResult>()
  expectTypeOf<ReactiveAuthConfig>().not.toHaveProperty("raw")
  expectTypeOf<ReactiveAuthConfig["prefix"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<ReactiveAuthConfig["providers"]>().toEqualTypeOf<Provider[]>()
  expectTypeOf<Omit<AuthConfig, "raw">>().toExtend<ReactiveAuthConfig>()
  expectTypeOf<Session>().toExtend<DefaultSession>()
  expectTypeOf<Account["provider"] | User["id"] | Profile["sub"]>().toExtend<
    string | null | undefined
  >()
})

test("the session has the type that the `session` callback returns", () => {
  const config = latchkey.defineConfig({
    ...createConfig(),
    callbacks: { session: ({ session }) => ({ ...session, role: "gardener" }) },
  })
  const read = async () =>
    (await latchkey.getSession(new Request("https://app.example"), config))?.role
  expectTypeOf(read).returns.resolves.toEqualTypeOf<string | undefined>()
})

test("`getSession` refuses a configuration with `raw`", () => {
  const config = { ...createConfig(), raw: core.raw }
  const read = () =>
    // @ts-expect-error `raw` is an option of `Auth` of the core
    latchkey.getSession(new Request("https://app.example"), config)
  expectTypeOf(read).toBeFunction()
})

test("the client uses /api/auth, or the given base path", () => {
  expect(client.client.basePath).toBe("/api/auth")
  expect(client.createClient().basePath).toBe("/api/auth")
  expect(client.createClient({ basePath: "/deep/er/auth/" }).basePath).toBe("/deep/er/auth")
  expect(client.signIn).toBe(client.client.signIn)
  expect(client.signOut).toBe(client.client.signOut)
})

test("the client posts to the routes under the prefix", async () => {
  const asked: string[] = []
  const { signOut } = client.createClient({
    fetch: async (url, { method = "GET" }) => {
      asked.push(`${method} ${url}`)
      const body = url.endsWith("/csrf") ? { csrfToken: "token" } : { url: "https://app.example/" }
      return Response.json(body)
    },
    origin: "https://app.example",
  })
  await signOut({ redirect: false, redirectTo: "/" })
  expect(asked).toEqual([
    "GET https://app.example/api/auth/csrf",
    "POST https://app.example/api/auth/signout",
  ])
})
