/** Turns the configuration that an application writes into the one that the library uses. */
import { defaultMaxAge } from "../crypto/jwt.ts"
import { randomHex } from "../crypto/random.ts"
import { resolveTrustedUrl } from "../http/callback-url.ts"
import { isOriginPattern } from "../http/match-host.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { omitUndefined } from "../objects.ts"
import { skipCSRFCheck } from "../symbols.ts"
import { resolveTheme } from "./application-name.ts"
import { resolveAttemptLimits } from "./attempt-limits.ts"
import type { AuthConfig, CallbacksOptions, SessionOptions } from "./auth-config.ts"
import { findConfigErrors } from "./config-checks.ts"
import { collectConfiguredSecrets } from "./configured-secrets.ts"
import { createCookieDefinitions } from "./cookie-definitions.ts"
import { resolveCustomPages } from "./custom-pages.ts"
import { getAuthUrlOrigin } from "./environment.ts"
import { resolveProviders } from "./resolve-providers.ts"
import type { ResolvedConfig, ResolvedJWT } from "./resolved-config.ts"

/** Applies all defaults. Collects errors instead of throwing them: an invalid configuration refuses requests. */
export function resolveConfig(authConfig: AuthConfig): ResolvedConfig {
  const config: Partial<AuthConfig> = authConfig ?? {}
  const secrets = normalizeSecrets(config.secret)
  const session = resolveSessionOptions(config)
  const jwt = resolveJwtOptions(config, secrets, session)
  const cookies = config.cookies ?? {}
  const customCallbacks = omitUndefined(config.callbacks ?? {})
  const location = {
    basePath: resolveBasePath(config.basePath),
    authUrlOrigin: getAuthUrlOrigin(authConfig),
  }
  const hosts = {
    ...location,
    allowedHosts: Array.isArray(config.trustHost) ? config.trustHost : undefined,
    development: config.development === true,
  }
  const trustedOrigins = [config.trustedOrigins ?? []].flat().filter(isOriginPattern)
  const resolved = {
    ...hosts,
    secrets,
    ...resolveProviders(config, hosts),
    adapter: config.adapter,
    session,
    jwt,
    trustedOrigins,
    callbacks: { ...createDefaultCallbacks(trustedOrigins), ...customCallbacks },
    customCallbacks: new Set(Object.keys(customCallbacks)) as ReadonlySet<keyof CallbacksOptions>,
    events: config.events ?? {},
    pages: resolveCustomPages(config.pages, location),
    cookies: {
      secure: createCookieDefinitions(true, cookies, config.useHostPrefix, session.accept),
      plain: createCookieDefinitions(false, cookies, false, session.accept),
    },
    useSecureCookies: config.useSecureCookies,
    theme: resolveTheme(config.theme ?? {}),
    languages: [config.languages ?? []].flat(),
    language: config.language,
    messages: config.messages,
    debug: config.debug === true,
    production: config.development === false,
    customLogger: config.logger,
    configuredSecrets: collectConfiguredSecrets(config),
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck,
    redirectProxyOrigins: config.redirectProxyOrigins ?? [],
    redirectProxySecrets:
      config.redirectProxySecret === undefined
        ? jwt.secrets
        : normalizeSecrets(config.redirectProxySecret),
    implicitLinking: config.accountLinking === "signed-in",
    attemptLimits: resolveAttemptLimits(config.attemptLimits),
    rateLimit: config.rateLimit,
  }
  return { ...resolved, problems: findConfigErrors(config, resolved) }
}

function normalizeSecrets(secret: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(secret) ? secret : [secret ?? ""]
  return list.filter((entry): entry is string => typeof entry === "string" && entry !== "")
}

function resolveBasePath(basePath: unknown): string {
  return stripTrailingSlash(typeof basePath === "string" ? basePath : "/auth") || "/"
}

function resolveSessionOptions(config: Partial<AuthConfig>): SessionOptions {
  return {
    strategy: config.adapter ? "database" : "jwt",
    maxAge: defaultMaxAge,
    updateAge: 86_400,
    generateSessionToken: randomHex,
    accept: [],
    ...omitUndefined(config.session ?? {}),
  }
}

function resolveJwtOptions(
  config: Partial<AuthConfig>,
  secrets: readonly string[],
  session: SessionOptions,
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

function createDefaultCallbacks(trustedOrigins: readonly string[]): CallbacksOptions {
  return {
    signIn: () => true,
    redirect: (params) => resolveTrustedUrl(params, trustedOrigins),
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
}
