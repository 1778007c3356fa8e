/** What a configuration needs of its database adapter. */
import type { Adapter } from "../adapters.ts"
import { MissingAdapter, MissingAdapterMethods } from "../errors.ts"
import type { ResolvedProvider } from "../providers/resolved.ts"
import type { AuthConfig } from "./auth-config.ts"
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
const emailMethods = ["createVerificationToken", "useVerificationToken", "getUserByEmail"] as const

export function* adapterProblems(
  written: Partial<AuthConfig>,
  config: Pick<ResolvedConfig, "session">,
  providers: readonly ResolvedProvider[],
): Generator<Error> {
  const { adapter } = written
  const database = config.session.strategy === "database"
  if (database && !adapter) {
    yield new MissingAdapter({ hint: "Sessions in a database need one: set `adapter`." })
  }
  if (!adapter) return
  const has = (type: string) => providers.some((provider) => provider.type === type)
  const needed: (keyof Adapter)[] = [
    ...(has("oauth") || has("oidc") || has("email") ? userMethods : []),
    ...(database ? [...sessionMethods, "getUser" as const] : []),
    ...(has("email") ? emailMethods : []),
  ]
  const missing = [...new Set(needed)].filter((name) => typeof adapter[name] !== "function")
  if (missing.length > 0) {
    yield new MissingAdapterMethods({
      methods: missing,
      expected: `the adapter to have ${missing.join(", ")}`,
    })
  }
}
