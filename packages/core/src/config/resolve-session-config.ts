/** Completes the options that sessions need, for the whole configuration and for the session reader. */
import { isObject, isPlainObject, omitUndefined } from "../objects.ts"
import type { AuthConfig, CallbacksOptions, RememberMeOptions } from "./auth-config.ts"
import { createCookieDefinitions } from "./cookie-definitions.ts"
import { defaultRememberMe, defaultSession, defaultSessionRecords } from "./defaults.ts"
import type {
  ResolvedJWT,
  ResolvedSession,
  ResolvedSessionRecords,
  SessionConfig,
} from "./resolved-config.ts"

/** Applies the defaults. Does not look for errors. */
export function resolveSessionConfig(config: Partial<AuthConfig>): Omit<SessionConfig, "problems"> {
  const secrets = normalizeSecrets(config.secret)
  const session = resolveSessionOptions(config)
  const cookies = config.cookies ?? {}
  const { secret, redirectProxySecret, jwt, providers } = config
  const customCallbacks = omitUndefined(config.callbacks ?? {})
  return {
    allowedHosts: Array.isArray(config.trustHost) ? config.trustHost : undefined,
    secrets,
    session,
    jwt: resolveJwtOptions(config, secrets, session),
    callbacks: { ...defaultCallbacks, ...customCallbacks },
    customCallbacks: new Set(Object.keys(customCallbacks)) as ReadonlySet<keyof CallbacksOptions>,
    events: config.events ?? {},
    cookies: {
      secure: createCookieDefinitions(true, cookies, config.useHostPrefix, session.accept),
      plain: createCookieDefinitions(false, cookies, false, session.accept),
    },
    useSecureCookies: config.useSecureCookies,
    debug: config.debug === true,
    development: config.development === true,
    customLogger: config.logger,
    configuredSecrets: collectSecrets({ secret, redirectProxySecret, jwt, providers }),
  }
}

/** Returns the secrets in an option, without empty ones. */
export function normalizeSecrets(secret: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(secret) ? secret : [secret ?? ""]
  return list.filter((entry): entry is string => typeof entry === "string" && entry !== "")
}

function resolveSessionOptions(config: Partial<AuthConfig>): ResolvedSession {
  const { idleTimeout, rememberMe, records, ...options } = omitUndefined(config.session ?? {})
  const defaults = { ...defaultSession, ...(config.adapter && { strategy: "database" as const }) }
  const { maxAge, updateAge, absoluteTimeout } = { ...defaults, ...options }
  return {
    ...defaults,
    accept: [],
    ...options,
    maxAge: limitSeconds(maxAge, idleTimeout),
    // So that a session that is used at the very end of an interval does not end much too early.
    updateAge: limitSeconds(
      updateAge,
      typeof idleTimeout === "number" ? idleTimeout / 10 : undefined,
    ),
    idleTimeout,
    absoluteTimeout,
    rememberMe: resolveFlagOptions<RememberMeOptions>(rememberMe, defaultRememberMe),
    records: resolveFlagOptions<ResolvedSessionRecords>(records, {
      store: config.adapter,
      ...defaultSessionRecords,
    }),
  }
}

/** Returns a value that is not a number unchanged: the checks report it. */
function limitSeconds(seconds: number, maximum: number | undefined): number {
  const isNumber = typeof seconds === "number" && typeof maximum === "number"
  return isNumber ? Math.min(seconds, maximum) : seconds
}

/** Completes an option that is true, or an object of options, if the feature is on. */
function resolveFlagOptions<Options extends object>(
  option: boolean | Partial<Options> | undefined,
  defaults: Options,
): Options | undefined {
  if (!option) return undefined
  return { ...defaults, ...(isObject(option) ? omitUndefined(option) : {}) }
}

function resolveJwtOptions(
  config: Partial<AuthConfig>,
  secrets: readonly string[],
  session: ResolvedSession,
): ResolvedJWT {
  const { secret = config.secret, ...options } = config.jwt ?? {}
  const maxAge = options.maxAge ?? session.maxAge
  return {
    secrets: config.jwt?.secret === undefined ? secrets : normalizeSecrets(secret),
    maxAge,
    // The application's own codec gets the secret in the form in which it was written.
    codec: { ...omitUndefined(options), secret: secret ?? [...secrets], maxAge },
  }
}

const defaultCallbacks: Pick<CallbacksOptions, "jwt" | "session"> = {
  jwt: ({ token }) => token,
  session({ session }) {
    const { name, email, image } = session.user ?? {}
    const expires: unknown = session.expires
    return {
      user: omitUndefined({ name, email, image }),
      expires: expires instanceof Date ? expires.toISOString() : String(expires),
    }
  },
}

const secretOptionName = /secret|apiKey|pass/i

/** The maximum nesting of options. */
const maxDepth = 6

/** Returns the secrets in options, which no log line may contain. */
function collectSecrets(value: unknown, isSecret = false, depth = maxDepth): string[] {
  if (depth === 0) return []
  if (typeof value === "string") return isSecret ? [value] : []
  if (!Array.isArray(value) && !isPlainObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    collectSecrets(item, isSecret || secretOptionName.test(name), depth - 1),
  )
}
