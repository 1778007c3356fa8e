/** Options that are spelt right and have no effect, or an effect that nobody can want. */
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"
import { type ConfigWarning, describeValue } from "./option-check.ts"
import { getVariableName } from "./provider-problems.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

type CompiledConfig = Pick<ResolvedConfig, "session" | "providers">

export function findUnusedOptions(
  authConfig: Partial<AuthConfig>,
  config: CompiledConfig,
): ConfigWarning[] {
  return [
    ...findUnusedHooks(authConfig, config),
    ...findRenewalWarnings(config),
    ...findIgnoredValues(authConfig),
    ...[...config.providers.values()].flatMap(findIncompleteProvider),
  ]
}

/** The most common surprise of all: a callback that is never called. */
function findUnusedHooks(
  { callbacks, jwt }: Partial<AuthConfig>,
  { session }: CompiledConfig,
): ConfigWarning[] {
  if (session.strategy !== "database") return []
  const hooks = {
    "callbacks.jwt": callbacks?.jwt,
    "jwt.encode": jwt?.encode,
    "jwt.decode": jwt?.decode,
  }
  const configuredHooks = Object.entries(hooks).filter(([, hook]) => typeof hook === "function")
  return configuredHooks.map(([option]) => ({
    type: "IgnoredOption",
    option,
    expected: `\`${option}\` beside sessions in tokens`,
    received: "sessions in the database, for which it is not called",
    hint: 'Use `callbacks.session`, whose `user` is the row, or choose `session: { strategy: "jwt" }`.',
  }))
}

function findRenewalWarnings({ session: { maxAge, updateAge } }: CompiledConfig): ConfigWarning[] {
  if (![maxAge, updateAge].every(Number.isFinite) || updateAge <= maxAge) return []
  return [
    {
      type: "IgnoredOption",
      option: "session.updateAge",
      expected: "`session.updateAge` to be shorter than `session.maxAge`",
      received: `${updateAge} s, and ${maxAge} s`,
      hint: "A session ends before it is renewed: everybody signs in again after `maxAge`.",
    },
  ]
}

function findIgnoredValues({
  debug,
  development,
  logger,
  theme,
}: Partial<AuthConfig>): ConfigWarning[] {
  const options: [option: string, value: unknown, kind: string, holds: boolean][] = [
    ...Object.entries({ debug, development }).map(
      ([option, value]): [string, unknown, string, boolean] => [
        option,
        value,
        "true or false",
        typeof (value ?? true) === "boolean",
      ],
    ),
    [
      "logger",
      logger,
      "an object with the functions error, warn and debug",
      isLoggerInstance(logger),
    ],
    ["theme", theme, "an object", typeof (theme ?? {}) === "object"],
  ]
  return options
    .filter(([, , , isValid]) => !isValid)
    .map(([option, value, expectedKind]) => ({
      type: "IgnoredOption",
      option,
      expected: `\`${option}\` to be ${expectedKind}`,
      received: describeValue(value),
      hint: "As it is written it has no effect: write it as expected, or leave it out.",
    }))
}

function isLoggerInstance(logger: unknown): boolean {
  if (typeof (logger ?? {}) !== "object") return false
  const { error, warn, debug }: Record<string, unknown> = { ...(logger ?? {}) }
  return [error, warn, debug].every((level) => typeof (level ?? isLoggerInstance) === "function")
}

function findIncompleteProvider(provider: ResolvedProvider): ConfigWarning[] {
  if (provider.type !== "oauth" && provider.type !== "oidc") return []
  if (!requiresClientSecret(provider) || provider.clientSecret || provider.token.clientSecret)
    return []
  const { id } = provider
  return [
    {
      type: "IncompleteProvider",
      option: `providers.${id}.clientSecret`,
      expected: `provider ${id} to have a \`clientSecret\``,
      received: "nothing",
      hint:
        `Set \`clientSecret\`, or ${getVariableName(id, "SECRET")}. ` +
        "A client without one sets `token_endpoint_auth_method` of its `client` to none.",
    },
  ]
}

function requiresClientSecret({ client }: ResolvedOAuthProvider): boolean {
  return /^client_secret_/.test(client.token_endpoint_auth_method ?? "client_secret_basic")
}
