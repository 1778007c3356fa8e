/** Completes the options that sessions need, for the whole configuration and for the session reader. */
import { type CookieDefinition, type CookieDefinitions, getNameStem } from "../http/cookies.ts"
import { isDate, isObject, isPlainObject, omitUndefined } from "../objects.ts"
import type { CookieOptions, CookiesOptions } from "../types.ts"
import type { AuthConfig, CallbacksOptions, RememberMeOptions } from "./auth-config.ts"
import {
  defaultCookies,
  defaultRememberMe,
  defaultSession,
  defaultSessionRecords,
} from "./defaults.ts"
import type { ResolvedSession, ResolvedSessionRecords, SessionConfig } from "./resolved-config.ts"

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
    secondFactor: config.secondFactor,
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
): SessionConfig["jwt"] {
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
      expires: isDate(expires) ? expires.toISOString() : String(expires),
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

/** Returns the cookies for requests over https (`secure`) or http. */
export function createCookieDefinitions(
  secure: boolean,
  customCookies: Partial<CookiesOptions> = {},
  useHostPrefix: AuthConfig["useHostPrefix"] = false,
  accept: unknown = [],
): CookieDefinitions {
  const stem = getNameStem(customCookies.sessionToken?.name ?? "authjs.session-token")
  const entries = Object.entries(defaultCookies).map(([key, { name: suffix, prefix, maxAge }]) => {
    const name = `${stem}.${suffix}`
    const custom = customCookies[key as keyof CookiesOptions]
    const attributes: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure }
    const options = {
      ...attributes,
      ...omitUndefined({ maxAge, ...omitUndefined(custom?.options ?? {}) }),
    }
    const cookie = { name: custom?.name ?? (secure ? prefix : "") + name, options }
    if (key !== "sessionToken") return [key, cookie]
    const renamed =
      secure && useHostPrefix !== false ? addHostPrefix(cookie, useHostPrefix) : cookie
    // Other values are errors of the configuration, which refuses every request.
    const accepted = Array.isArray(accept) ? accept.filter(isObject) : []
    const names = accepted.map(({ cookieName }) => `${secure ? "__Secure-" : ""}${cookieName}`)
    return [key, names.reduce(addFormerName, renamed)]
  })
  return Object.fromEntries(entries)
}

function addHostPrefix(
  { name, options }: CookieDefinition,
  useHostPrefix: true | "migrate",
): CookieDefinition {
  const hostName = `__Host-${String(name).replace(/^__(?:Secure|Host)-/, "")}`
  const isRead = useHostPrefix === "migrate" && hostName !== name
  return { name: hostName, options, ...(isRead && { formerNames: [name] }) }
}

function addFormerName(cookie: CookieDefinition, name: string): CookieDefinition {
  return cookie.name === name
    ? cookie
    : { ...cookie, formerNames: [...(cookie.formerNames ?? []), name] }
}
