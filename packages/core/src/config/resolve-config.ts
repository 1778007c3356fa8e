/** Turns the configuration that an application writes into the one that the library uses. */
import { defaultMaxAge } from "../crypto/jwt.ts"
import { randomHex } from "../crypto/random.ts"
import type { AuthError } from "../errors.ts"
import { resolveSameOriginUrl } from "../http/callback-url.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { omitUndefined } from "../objects.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import { skipCSRFCheck } from "../symbols.ts"
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
  const problems: AuthError[] = []
  const providers = resolveProviders(config, problems)
  const secrets = normalizeSecrets(config.secret)
  const session = resolveSessionOptions(config)
  const jwt = resolveJwtOptions(config, secrets, session)
  const customCallbacks = omitUndefined(config.callbacks ?? {})
  const resolved = {
    basePath: resolveBasePath(config.basePath),
    allowedHosts: Array.isArray(config.trustHost) ? config.trustHost : undefined,
    authUrlOrigin: getAuthUrlOrigin(authConfig),
    secrets,
    providers,
    adapter: config.adapter,
    session,
    jwt,
    callbacks: { ...defaultCallbacks, ...customCallbacks },
    customCallbacks: new Set(Object.keys(customCallbacks)) as ReadonlySet<keyof CallbacksOptions>,
    events: config.events ?? {},
    pages: resolveCustomPages(config.pages),
    cookies: {
      secure: createCookieDefinitions(true, config.cookies ?? {}, config.useHostPrefix),
      plain: createCookieDefinitions(false, config.cookies ?? {}),
    },
    useSecureCookies: config.useSecureCookies,
    theme: config.theme ?? {},
    debug: config.debug === true,
    development: config.development === true,
    customLogger: config.logger,
    configuredSecrets: collectConfiguredSecrets(config),
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck,
    redirectProxyOrigins: config.redirectProxyOrigins ?? [],
    redirectProxySecrets:
      config.redirectProxySecret === undefined
        ? jwt.secrets
        : normalizeSecrets(config.redirectProxySecret),
    implicitLinking: config.accountLinking === "signed-in",
    emailIdentifiesUser: [...providers.values()].some(identifiesUserByEmail),
    attemptLimits: resolveAttemptLimits(config.attemptLimits),
    rateLimit: config.rateLimit,
  }
  return { ...resolved, problems: [...problems, ...findConfigErrors(config, resolved)] }
}

function identifiesUserByEmail(provider: ResolvedProvider): boolean {
  // An application that checks passwords looks users up by their address.
  if (provider.type === "email" || provider.type === "credentials") return true
  return (provider.type === "oauth" || provider.type === "oidc") && provider.allowEmailLinking
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

const defaultCallbacks: CallbacksOptions = {
  signIn: () => true,
  redirect: resolveSameOriginUrl,
  jwt: ({ token }) => token,
  session({ session }) {
    const { name, email, image } = session.user ?? {}
    const expires: unknown = session.expires
    return {
      user: { name: name ?? null, email: email ?? null, image: image ?? null },
      expires: expires instanceof Date ? expires.toISOString() : String(expires),
    }
  },
}
