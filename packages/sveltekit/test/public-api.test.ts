import { readdirSync } from "node:fs"
import { basename } from "node:path"
import * as passkeys from "@latchkey/client/webauthn"
import * as core from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import type {
  Account,
  CompiledAuthConfig,
  DefaultSession,
  Profile,
  Session,
  User,
} from "@latchkey/sveltekit"
import * as latchkey from "@latchkey/sveltekit"
import * as adapters from "@latchkey/sveltekit/adapters"
import * as client from "@latchkey/sveltekit/client"
import type { Provider } from "@latchkey/sveltekit/providers"
import * as webauthn from "@latchkey/sveltekit/webauthn"
import type { Actions, RequestEvent } from "@sveltejs/kit"
import { type Handle, sequence } from "@sveltejs/kit/hooks"
import { expect, expectTypeOf, test, vi } from "vitest"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

test("exports the same names as every framework package", () => {
  expect(Object.keys(latchkey).sort()).toEqual([
    "AccessTokenError",
    "AuthError",
    "CompiledAuth",
    "CredentialsSignin",
    "LastAccount",
    "LastFactor",
    "SessionNotFresh",
    "assertFreshSession",
    "customFetch",
    "defineConfig",
    "getAuth",
    "getSessionInfo",
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
  const own = await import(`@latchkey/sveltekit/providers/${id}`)
  const original = await import(`@latchkey/core/providers/${id}`)
  expect({ ...own }).toEqual({ ...original })
  expect(own.default).toBeTypeOf("function")
})

test("has the types of the Auth.js client under their names", () => {
  type Options = client.SignInOptions<false>
  const submit = async (options: Options, params?: client.SignInAuthorizationParams) =>
    client.signIn("credentials", options, params)
  expectTypeOf(submit).returns.resolves.toEqualTypeOf<client.SignInResponse>()
  const leave = (options: client.SignOutParams<false>) => client.signOut(options)
  expectTypeOf(leave).returns.resolves.toEqualTypeOf<client.SignOutResponse>()
  expectTypeOf<Options["redirect"]>().toEqualTypeOf<false | undefined>()
  expectTypeOf<client.SignInOptions["callbackUrl"]>().toEqualTypeOf<string | undefined>()
})

test("has a client for the application's base path, and creates clients for others", () => {
  expect(client.client.basePath).toBe("/base/auth")
  expect(client.signIn).toBe(client.client.signIn)
  expect(client.createClient().basePath).toBe("/base/auth")
  expect(client.createClient({ basePath: "/deep/er/auth" }).basePath).toBe("/deep/er/auth")
})

test("is compatible with the types of SvelteKit", () => {
  const { handle, signIn, signOut } = latchkey.CompiledAuth(createConfig())
  expectTypeOf(handle).toExtend<Handle>()
  expectTypeOf(sequence(handle)).toExtend<Handle>()
  expectTypeOf({ default: signIn }).toExtend<Actions>()
  expectTypeOf({ default: signOut }).toExtend<Actions>()
  expectTypeOf<RequestEvent["locals"]["auth"]>().returns.resolves.toEqualTypeOf<Session | null>()
  expectTypeOf<CompiledAuthConfig>().not.toHaveProperty("raw")
  expectTypeOf<CompiledAuthConfig["providers"]>().toEqualTypeOf<Provider[]>()
  expectTypeOf<Session>().toExtend<DefaultSession>()
  expectTypeOf<Account["provider"] | User["id"] | Profile["sub"]>().toExtend<
    string | null | undefined
  >()
})
