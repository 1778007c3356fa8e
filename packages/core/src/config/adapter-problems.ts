/** What a configuration needs of its database adapter. */
import type { Adapter } from "../adapters.ts"
import { MissingAdapter, MissingAdapterMethods } from "../errors.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"
import { isPromise } from "./option-check.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

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

export function* findAdapterProblems(
  authConfig: Partial<AuthConfig>,
  config: Pick<ResolvedConfig, "session">,
  providers: readonly ResolvedProvider[],
): Generator<MissingAdapter | MissingAdapterMethods> {
  const { adapter } = authConfig
  const usesDatabaseSessions = config.session.strategy === "database"
  if (usesDatabaseSessions && !adapter) {
    yield new MissingAdapter({
      option: "adapter",
      expected: "an `adapter`",
      received: "nothing",
      hint: 'Sessions in a database need one: set `adapter`, or `session: { strategy: "jwt" }`.',
    })
  }
  // What is no adapter at all is a problem of its own.
  if (typeof adapter !== "object" || adapter === null || isPromise(adapter)) return
  const hasProviderType = (type: string) => providers.some((provider) => provider.type === type)
  const requiredMethods: (keyof Adapter)[] = [
    ...(hasProviderType("oauth") || hasProviderType("oidc") || hasProviderType("email")
      ? userMethods
      : []),
    ...(usesDatabaseSessions ? [...sessionMethods, "getUser" as const] : []),
    ...(hasProviderType("email") ? emailMethods : []),
    ...(hasProviderType("webauthn") ? passkeyMethods : []),
  ]
  const missingMethods = [...new Set(requiredMethods)].filter(
    (name) => typeof adapter[name] !== "function",
  )
  if (missingMethods.length > 0) {
    yield new MissingAdapterMethods({
      option: "adapter",
      methods: missingMethods,
      expected: `the adapter to have ${missingMethods.join(", ")}`,
      hint: "Use a newer version of the adapter or another one, or leave out the providers that need them.",
    })
  }
}
