import { readdirSync } from "node:fs"
import { basename } from "node:path"
import * as browserClient from "@latchkey/client"
import * as passkeys from "@latchkey/client/webauthn"
import * as core from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import type {
  Account,
  DefaultSession,
  GetSessionResult,
  Profile,
  ResumableAuth,
  ResumableAuthConfig,
  Session,
  SignInFields,
  SignInResult,
  SignOutFields,
  SignOutResult,
  User,
} from "@latchkey/qwik"
import * as latchkey from "@latchkey/qwik"
import * as adapters from "@latchkey/qwik/adapters"
import * as client from "@latchkey/qwik/client"
import type { Provider } from "@latchkey/qwik/providers"
import * as webauthn from "@latchkey/qwik/webauthn"
import { expect, expectTypeOf, test, vi } from "vitest"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

test("exports the same names as every framework package", () => {
  expect(Object.keys(latchkey).sort()).toEqual([
    "AccessTokenError",
    "AuthError",
    "CredentialsSignin",
    "LastAccount",
    "LastFactor",
    "ResumableAuth$",
    "ResumableAuthQrl",
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
    "setEnvDefaults",
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

test.each(providers)("exports the provider %s of the core", async (id) => {
  const own = await import(`@latchkey/qwik/providers/${id}`)
  const original = await import(`@latchkey/core/providers/${id}`)
  expect({ ...own }).toEqual({ ...original })
  expect(own.default).toBeTypeOf("function")
})

test("has the types of the specification", () => {
  expectTypeOf<keyof ResumableAuth>().toEqualTypeOf<
    "onRequest" | "useSession" | "useSignIn" | "useSignOut"
  >()
  expectTypeOf<ReturnType<ResumableAuth["onRequest"]>>().toEqualTypeOf<Promise<void>>()
  expectTypeOf<ReturnType<ResumableAuth["useSession"]>["value"]>().toEqualTypeOf<Session | null>()
  expectTypeOf<Required<SignInFields>>().toHaveProperty("authorizationParams")
  expectTypeOf<SignInFields["authorizationParams"]>().toEqualTypeOf<
    string | URLSearchParams | Record<string, string> | undefined
  >()
  expectTypeOf<keyof SignOutFields>().toEqualTypeOf<"redirectTo" | "federated">()
  expectTypeOf<SignInResult["failed"]>().toEqualTypeOf<true | undefined>()
  expectTypeOf<SignInResult["formErrors"]>().toEqualTypeOf<string[] | undefined>()
  expectTypeOf<SignOutResult["fieldErrors"]>().toEqualTypeOf<
    Partial<Record<"redirectTo" | "federated", string>> | undefined
  >()
  expectTypeOf<Awaited<GetSessionResult>>().toEqualTypeOf<{
    cookie: string[]
    data: Session | null
  }>()
  expectTypeOf<ResumableAuthConfig>().not.toHaveProperty("raw")
  expectTypeOf<ResumableAuthConfig["providers"]>().toEqualTypeOf<Provider[]>()
  expectTypeOf<Session>().toExtend<DefaultSession>()
  expectTypeOf<Account["provider"] | User["id"] | Profile["sub"]>().toExtend<
    string | null | undefined
  >()
})

test("the session has the type that the configuration gives it", () => {
  const config = latchkey.defineConfig({
    providers: [],
    callbacks: { session: ({ session }) => ({ ...session, role: "gardener" }) },
  })
  const createAuth = () => latchkey.ResumableAuth$(() => config)
  type PageSession = ReturnType<ReturnType<typeof createAuth>["useSession"]>["value"]
  expectTypeOf<NonNullable<PageSession>["role"]>().toEqualTypeOf<string>()
  expectTypeOf(latchkey.getSession<typeof config>)
    .returns.resolves.toHaveProperty("data")
    .exclude<null>()
    .toHaveProperty("role")
    .toEqualTypeOf<string>()
})
