/** Options that are spelt right and have no effect, or an effect that nobody can want. */
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved.ts"
import type { AuthConfig } from "./auth-config.ts"
import { variableFor } from "./provider-problems.ts"
import type { ResolvedConfig } from "./resolved-config.ts"
import { type Advice, described } from "./rule.ts"

type Compiled = Pick<ResolvedConfig, "session" | "providers">

export function idleOptions(written: Partial<AuthConfig>, config: Compiled): Advice[] {
  return [
    ...unusedHooks(written, config),
    ...renewal(config),
    ...wrongKinds(written),
    ...[...config.providers.values()].flatMap(incomplete),
  ]
}

/** The most common surprise of all: a callback that is never called. */
function unusedHooks({ callbacks, jwt }: Partial<AuthConfig>, { session }: Compiled): Advice[] {
  if (session.strategy !== "database") return []
  const hooks = {
    "callbacks.jwt": callbacks?.jwt,
    "jwt.encode": jwt?.encode,
    "jwt.decode": jwt?.decode,
  }
  const written = Object.entries(hooks).filter(([, hook]) => typeof hook === "function")
  return written.map(([option]) => ({
    type: "IgnoredOption",
    option,
    expected: `\`${option}\` beside sessions in tokens`,
    came: "sessions in the database, for which it is not called",
    hint: 'Use `callbacks.session`, whose `user` is the row, or choose `session: { strategy: "jwt" }`.',
  }))
}

function renewal({ session: { maxAge, updateAge } }: Compiled): Advice[] {
  if (![maxAge, updateAge].every(Number.isFinite) || updateAge <= maxAge) return []
  return [
    {
      type: "IgnoredOption",
      option: "session.updateAge",
      expected: "`session.updateAge` to be shorter than `session.maxAge`",
      came: `${updateAge} s, and ${maxAge} s`,
      hint: "A session ends before it is renewed: everybody signs in again after `maxAge`.",
    },
  ]
}

function wrongKinds({ debug, development, logger, theme }: Partial<AuthConfig>): Advice[] {
  const options: [option: string, value: unknown, kind: string, holds: boolean][] = [
    ...Object.entries({ debug, development }).map(
      ([option, value]): [string, unknown, string, boolean] => [
        option,
        value,
        "true or false",
        typeof (value ?? true) === "boolean",
      ],
    ),
    ["logger", logger, "an object with the functions error, warn and debug", isLogger(logger)],
    ["theme", theme, "an object", typeof (theme ?? {}) === "object"],
  ]
  return options
    .filter(([, , , holds]) => !holds)
    .map(([option, value, kind]) => ({
      type: "IgnoredOption",
      option,
      expected: `\`${option}\` to be ${kind}`,
      came: described(value),
      hint: "As it is written it has no effect: write it as expected, or leave it out.",
    }))
}

function isLogger(logger: unknown): boolean {
  if (typeof (logger ?? {}) !== "object") return false
  const { error, warn, debug }: Record<string, unknown> = { ...(logger ?? {}) }
  return [error, warn, debug].every((level) => typeof (level ?? isLogger) === "function")
}

function incomplete(provider: ResolvedProvider): Advice[] {
  if (provider.type !== "oauth" && provider.type !== "oidc") return []
  if (!needsSecret(provider) || provider.clientSecret || provider.token.clientSecret) return []
  const { id } = provider
  return [
    {
      type: "IncompleteProvider",
      option: `providers.${id}.clientSecret`,
      expected: `provider ${id} to have a \`clientSecret\``,
      came: "nothing",
      hint:
        `Set \`clientSecret\`, or ${variableFor(id, "SECRET")}. ` +
        "A client without one sets `token_endpoint_auth_method` of its `client` to none.",
    },
  ]
}

function needsSecret({ client }: ResolvedOAuthProvider): boolean {
  return /^client_secret_/.test(client.token_endpoint_auth_method ?? "client_secret_basic")
}
