/** What the environment adds to a configuration. */
import { stripTrailingSlash } from "../http/route.ts"
import { isPlainObject } from "../providers/merge-definition.ts"
import type { Provider, ProviderConfig, ProviderEnvironment } from "../providers/types.ts"
import { parseWebUrl } from "./action-url.ts"
import type { AuthConfig } from "./auth-config.ts"
import { createLogger } from "./logger.ts"

/** Environment variables, such as `process.env`. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Writes defaults from the environment into a configuration: the one exported function that does. To keep the
 * configuration as it is, hand over a copy: `setEnvDefaults(env, { ...config })` leaves providers alone.
 *
 * Reads `AUTH_URL` (base path, trust), `AUTH_SECRET`, `AUTH_SECRET_1` to `_3`, `AUTH_REDIRECT_PROXY_URL`,
 * `AUTH_TRUST_HOST`, `VERCEL`, `CF_PAGES`, `NODE_ENV`, and for each provider `AUTH_<ID>_ID`, `_SECRET`,
 * `_ISSUER` and `_KEY`.
 */
export function setEnvDefaults(
  env: EnvironmentVariables,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  setBasePath(env, config, suppressBasePathWarning)
  if (!config.secret?.length) {
    const names = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"]
    config.secret = names.flatMap((name) => env[name] || [])
  }
  const proxy = config.redirectProxyUrl ?? (env["AUTH_REDIRECT_PROXY_URL"] || undefined)
  if (proxy !== undefined) config.redirectProxyUrl = proxy
  config.trustHost ??= readTrustHost(env)
  // Only where it is said: what is not production may still be seen by others.
  if (env["NODE_ENV"] === "development") config.development ??= true
  config.providers = (config.providers ?? []).map((provider) => applyEnvironment(provider, env))
}

function setBasePath(
  env: EnvironmentVariables,
  config: AuthConfig,
  suppressWarning: boolean,
): void {
  const url = env["AUTH_URL"]
  if (url && config.basePath !== undefined) {
    if (!suppressWarning) createLogger(config.logger, false).warn("env-url-basepath-redundant")
    return
  }
  const path = url && parseWebUrl(url)?.pathname
  config.basePath ??= path ? stripTrailingSlash(path) || "/" : "/auth"
}

/** The first of the variables that says something; nothing said means trust everywhere but in production. */
function readTrustHost(env: EnvironmentVariables): boolean {
  const candidates = [env["AUTH_URL"], env["AUTH_TRUST_HOST"], env["VERCEL"], env["CF_PAGES"]]
  const setting = candidates.find((value) => value?.trim())
  return setting === undefined ? env["NODE_ENV"] !== "production" : isTruthyVariable(setting)
}

/** Whether the value of a variable says yes. */
export function isTruthyVariable(value: string | undefined): boolean {
  return !["", "false", "0"].includes(value?.trim().toLowerCase() ?? "")
}

function applyEnvironment(provider: Provider, env: EnvironmentVariables): Provider {
  if (typeof provider !== "function") return fillMissingValues(provider, env)
  const id: unknown = provider({})?.id
  // What is no provider stays what it is: the configuration is refused for it.
  return typeof id === "string" ? provider(readProviderEnvironment(id, env)) : provider
}

function readProviderEnvironment(id: string, env: EnvironmentVariables): ProviderEnvironment {
  const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`
  return {
    clientId: env[`${prefix}ID`],
    clientSecret: env[`${prefix}SECRET`],
    issuer: env[`${prefix}ISSUER`],
    apiKey: env[`${prefix}KEY`],
  }
}

/** A copy of a provider with what neither it nor its options say. */
function fillMissingValues(provider: ProviderConfig, env: EnvironmentVariables): ProviderConfig {
  if (!provider || typeof provider.id !== "string") return provider
  const { apiKey, ...oauth } = readProviderEnvironment(provider.id, env)
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
 * Whether a value gives way, because it is only what a factory takes when it is told nothing. An issuer for all
 * tenants would otherwise stay in place of the one that the environment names.
 */
function canBeOverridden(
  { options, wellKnown }: Readonly<Record<string, unknown>>,
  name: string,
): boolean {
  const isFactoryMade = isPlainObject(options) && (options["issuer"] ?? null) === null
  return name === "issuer" && isFactoryMade && wellKnown === undefined
}
