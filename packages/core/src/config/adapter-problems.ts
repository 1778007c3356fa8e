/** What a configuration needs of its database adapter. */
import type { Adapter } from "../adapters.ts"
import { MissingAdapter, MissingAdapterMethods } from "../errors.ts"
import type { ResolvedProvider } from "../providers/resolved.ts"
import type { AuthConfig } from "./auth-config.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { isPromise } from "./rule.ts"

const userMethods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
] as const
const sessionMethods = [
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
] as const
const passkeyMethods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "linkAccount",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const
const emailMethods = ["createVerificationToken", "useVerificationToken", "getUserByEmail"] as const

export function* adapterProblems(
  written: Partial<AuthConfig>,
  config: Pick<ResolvedConfig, "session">,
  providers: readonly ResolvedProvider[],
): Generator<MissingAdapter | MissingAdapterMethods> {
  const { adapter } = written
  const database = config.session.strategy === "database"
  if (database && !adapter) {
    yield new MissingAdapter({
      option: "adapter",
      expected: "an `adapter`",
      came: "nothing",
      hint: 'Sessions in a database need one: set `adapter`, or `session: { strategy: "jwt" }`.',
    })
  }
  // What is no adapter at all is a problem of its own.
  if (typeof adapter !== "object" || adapter === null || isPromise(adapter)) return
  const has = (type: string) => providers.some((provider) => provider.type === type)
  const needed: (keyof Adapter)[] = [
    ...(has("oauth") || has("oidc") || has("email") ? userMethods : []),
    ...(database ? [...sessionMethods, "getUser" as const] : []),
    ...(has("email") ? emailMethods : []),
    ...(has("webauthn") ? passkeyMethods : []),
  ]
  const missing = [...new Set(needed)].filter((name) => typeof adapter[name] !== "function")
  if (missing.length > 0) {
    yield new MissingAdapterMethods({
      option: "adapter",
      methods: missing,
      expected: `the adapter to have ${missing.join(", ")}`,
      hint: "Use a newer version of the adapter or another one, or leave out the providers that need them.",
    })
  }
}
