/** Environment variables: the defaults that they set, and how to set one that is missing. */
import { resolveRequestOrigin } from "../http/request-origin.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { createLogger } from "../logging/logger.ts"
import { isPlainObject } from "../objects.ts"
import type { Mailer, Provider, ProviderConfig, ProviderEnvironment } from "../providers/types.ts"
import { findUnloadedEnvFile, findVariable } from "../runtime/platform.ts"
import type { AuthAction, LoggerInstance } from "../types.ts"
import type { AuthConfig } from "./auth-config.ts"
import { defaultBasePath } from "./defaults.ts"

/** Environment variables, such as `process.env`. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** A member for the origin of `AUTH_URL`, which has no option. Copies of the configuration keep it. */
const authUrlOrigin: unique symbol = Symbol("origin of AUTH_URL")

/** Returns the origin of `AUTH_URL` if `setEnvDefaults` found it for this configuration. */
export function getAuthUrlOrigin(
  config: AuthConfig & { [authUrlOrigin]?: string },
): string | undefined {
  return config[authUrlOrigin]
}

/**
 * For `Auth` and `createAuth`, as in Auth.js: sets options that the configuration omits from environment variables.
 * Framework packages call it. It changes the configuration: to keep the original, pass a copy, as in `setEnvDefaults(env, { ...config })`. Provider objects are never changed.
 *
 * Reads `AUTH_URL` (base path, trust, origin of links in e-mails), `AUTH_SECRET`, `AUTH_SECRET_1` to `_3`,
 * `AUTH_REDIRECT_PROXY_URL`, `AUTH_REDIRECT_PROXY_SECRET`, `AUTH_TRUST_HOST`, `VERCEL`, `CF_PAGES`, `NODE_ENV`, and for
 * each provider `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`.
 */
export function setEnvDefaults(
  env: EnvironmentVariables,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  const url = env["AUTH_URL"]
  if (url && config.basePath !== undefined && !suppressBasePathWarning) {
    createLogger(config.logger, false).warn("env-url-basepath-redundant")
  }
  const authUrl = url ? parseWebUrl(url) : undefined
  if (authUrl) Object.assign(config, { [authUrlOrigin]: authUrl.origin })
  const path = authUrl?.pathname
  config.basePath ??= path ? stripTrailingSlash(path) || "/" : defaultBasePath
  if (!config.secret?.length) {
    const names = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"]
    config.secret = names.flatMap((name) => env[name] || [])
  }
  const proxy = config.redirectProxyUrl ?? (env["AUTH_REDIRECT_PROXY_URL"] || undefined)
  if (proxy !== undefined) config.redirectProxyUrl = proxy
  const proxySecret = env["AUTH_REDIRECT_PROXY_SECRET"]
  if (proxySecret) config.redirectProxySecret ??= proxySecret
  config.trustHost ??= readTrustHost(env)
  // Only if it is explicit, because other people may have access to a server that is not in production.
  if (env["NODE_ENV"] === "development") config.development ??= true
  if (env["NODE_ENV"] === "production") config.development ??= false
  const providers = config.providers ?? []
  // An invalid value stays as it is: the checks of the configuration report it.
  if (Array.isArray(providers))
    config.providers = providers.map((provider) => applyEnvironment(provider, env))
  // One without an id is the application's own.
  if (config.mailer) config.mailer = applyEnvironment(config.mailer as Provider, env) as Mailer
}

/**
 * Returns the first setting in the environment. Without one, the host is trusted except in production. With an invalid
 * `AUTH_URL`, it is not trusted, which refuses all requests.
 */
function readTrustHost(env: EnvironmentVariables): boolean {
  const candidates = [env["AUTH_URL"], env["AUTH_TRUST_HOST"], env["VERCEL"], env["CF_PAGES"]]
  const setting = candidates.find((value) => value?.trim())
  if (setting !== undefined && setting === env["AUTH_URL"])
    return parseWebUrl(setting) !== undefined
  return setting === undefined ? env["NODE_ENV"] !== "production" : isTruthyVariable(setting)
}

/** Whether a variable is set to anything but "false" or "0". */
export function isTruthyVariable(value: string | undefined): boolean {
  return !["", "false", "0"].includes(value?.trim().toLowerCase() ?? "")
}

function applyEnvironment(provider: Provider, env: EnvironmentVariables): Provider {
  const id = readProviderId(provider)
  // The checks of the configuration report an invalid entry.
  if (typeof id !== "string") return provider
  const values = {
    clientId: env[getProviderVariable(id, "ID")],
    clientSecret: env[getProviderVariable(id, "SECRET")],
    issuer: env[getProviderVariable(id, "ISSUER")],
    apiKey: env[getProviderVariable(id, "KEY")],
  }
  return fillMissingValues(typeof provider === "function" ? provider(values) : provider, values)
}

/** Returns the id of a provider, or undefined if the entry is not a provider, such as a class. */
function readProviderId(provider: Provider): unknown {
  try {
    return (typeof provider === "function" ? provider({}) : provider)?.id
  } catch {
    return undefined
  }
}

/** Returns the name of the environment variable for a field of a provider. */
export function getProviderVariable(id: string, field: "ID" | "SECRET" | "ISSUER" | "KEY"): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_${field}`
}

/** Returns a copy of a provider with the values that neither it nor its options have. */
function fillMissingValues(
  provider: ProviderConfig,
  { apiKey, ...oauth }: ProviderEnvironment,
): ProviderConfig {
  const isOAuth = provider.type === "oauth" || provider.type === "oidc"
  const values = isOAuth ? oauth : provider.type === "email" ? { apiKey } : {}
  const fields = provider as unknown as Record<string, unknown>
  const additions = Object.entries(values).filter(
    ([name, value]) =>
      value !== undefined && ((fields[name] ?? null) === null || canBeOverridden(fields, name)),
  )
  return additions.length === 0 ? provider : { ...provider, ...Object.fromEntries(additions) }
}

/**
 * Whether a value is only a default of the provider's factory. The environment overrides such an `issuer`, because
 * the default may be an issuer for all tenants.
 */
function canBeOverridden(
  { options, wellKnown }: Readonly<Record<string, unknown>>,
  name: string,
): boolean {
  const isFactoryMade = isPlainObject(options) && (options["issuer"] ?? null) === null
  return name === "issuer" && isFactoryMade && wellKnown === undefined
}

/**
 * Returns how to set an environment variable: how to load it if an environment file sets it already, or to rename it if
 * it has the name that other libraries and the providers' own documentation use.
 *
 * @param hint how to set it if nothing does
 */
export function createVariableHint(variable: string, hint: string): string {
  const file = findUnloadedEnvFile(variable)
  if (file !== undefined)
    return `\`${file}\` sets ${variable}, but was not loaded: start Node.js with \`--env-file=${file}\`, or load the file in your code.`
  const otherName = findMisnamedVariable(variable)
  if (otherName === undefined) return hint
  return `${otherName} is set, but Latchkey reads ${variable}: rename it.`
}

/** The ends of names that other libraries and the providers' own documentation use. */
const otherFieldNames: Readonly<Record<string, readonly string[]>> = {
  ID: ["CLIENT_ID", "CLIENTID", "APP_ID"],
  SECRET: ["CLIENT_SECRET", "CLIENTSECRET", "APP_SECRET"],
  ISSUER: ["ISSUER_URL", "ISSUER_BASE_URL"],
}

/** Returns the variable that seems to be meant for another one, such as `GOOGLE_CLIENT_ID` for `AUTH_GOOGLE_ID`. */
function findMisnamedVariable(variable: string): string | undefined {
  if (variable === "AUTH_SECRET") return findVariable(["NEXTAUTH_SECRET"])
  const [, provider = "", field = ""] = /^AUTH_(.+)_([A-Z]+)$/.exec(variable) ?? []
  const names = (otherFieldNames[field] ?? []).map((name) => `${provider}_${name}`)
  return findVariable([...names.map((name) => `AUTH_${name}`), ...names, `${provider}_${field}`])
}

/** The options that {@link createActionURL} uses. */
export interface ActionUrlConfig {
  /** The base path of the routes, unless `AUTH_URL` has a path. */
  basePath?: string | undefined
  /** Your own logger. */
  logger?: Partial<LoggerInstance> | undefined
  /** If false, forwarded headers are ignored. */
  trustHost?: boolean | readonly string[] | undefined
}

/**
 * For code that was written for Auth.js: builds the URL of an action from `AUTH_URL` or, if that is not set, from the
 * headers of a request.
 *
 * @param protocol the protocol of the request, with or without its colon; `https` if it is unknown
 * @throws TypeError when `AUTH_URL` or the host of the request is invalid
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: EnvironmentVariables,
  config: ActionUrlConfig,
): URL {
  const { basePath = "", trustHost } = config
  const envUrl = env["AUTH_URL"] || env["NEXTAUTH_URL"]
  const base = envUrl
    ? parseEnvUrl(envUrl)
    : new URL(resolveRequestOrigin(protocol, headers, trustHost !== false))
  if (basePath !== "" && basePath !== "/" && base.pathname !== "/") {
    if (base.pathname !== basePath) {
      createLogger(config.logger, false).warn("env-url-basepath-mismatch")
    }
    base.pathname = "/"
  }
  const segments = `${base.pathname}/${basePath}`.split("/").filter(Boolean)
  return new URL(`${base.origin}/${[...segments, action].join("/")}`)
}

/** @throws TypeError for a text that is not an http(s) URL */
export function parseEnvUrl(text: string): URL {
  const url = parseWebUrl(text)
  if (url) return url
  throw new TypeError("AUTH_URL must be an http(s) URL, such as https://example.com")
}

/** Parses an http(s) URL. Returns undefined for anything else, such as `localhost:3000`. */
export function parseWebUrl(text: unknown): URL | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined
}
