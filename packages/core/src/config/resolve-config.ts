/** Turns the configuration that an application writes into the one that the library uses. */

import { resolveAttemptLimits } from "../actions/limits/limit-rules.ts"
import { resolveTrustedUrl } from "../http/callback-url.ts"
import { isOriginPattern } from "../http/match-host.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { skipCSRFCheck } from "../symbols.ts"
import type { Theme } from "../types.ts"
import { hasLeases } from "./adapter-methods.ts"
import type { AuthConfig } from "./auth-config.ts"
import { findConfigErrors } from "./checks/config-checks.ts"
import type { UncheckedConfig } from "./checks/option-rules.ts"
import { resolveCustomPages } from "./custom-pages.ts"
import { defaultBasePath } from "./defaults.ts"
import { getAuthUrlOrigin } from "./environment.ts"
import { resolveProviders } from "./resolve-providers.ts"
import { normalizeSecrets, resolveSessionConfig } from "./resolve-session-config.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

/** Applies all defaults. Collects errors instead of throwing them: an invalid configuration refuses requests. */
export function resolveConfig(authConfig: AuthConfig): ResolvedConfig {
  const config: Partial<AuthConfig> = authConfig ?? {}
  const sessionConfig = resolveSessionConfig(config)
  const { allowedHosts, development, callbacks, jwt } = sessionConfig
  const location = {
    basePath: resolveBasePath(config.basePath),
    authUrlOrigin: getAuthUrlOrigin(authConfig),
  }
  const hosts = { ...location, allowedHosts, development }
  const trustedOrigins = [config.trustedOrigins ?? []].flat().filter(isOriginPattern)
  const resolved: UncheckedConfig = {
    ...sessionConfig,
    ...location,
    ...resolveProviders(config, hosts),
    adapter: config.adapter,
    encryptTokens: config.encryptTokens === true,
    leases: config.leases ?? (hasLeases(config.adapter) ? config.adapter : undefined),
    trustedOrigins,
    callbacks: {
      signIn: () => true,
      redirect: (params) => resolveTrustedUrl(params, trustedOrigins),
      ...callbacks,
    },
    mailer: config.mailer,
    pages: resolveCustomPages(config.pages, location),
    theme: resolveTheme(config.theme ?? {}),
    languages: [config.languages ?? []].flat(),
    language: config.language,
    messages: config.messages,
    production: config.development === false,
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck,
    redirectProxyOrigins: config.redirectProxyOrigins ?? [],
    redirectProxySecrets:
      config.redirectProxySecret === undefined
        ? jwt.secrets
        : normalizeSecrets(config.redirectProxySecret),
    implicitLinking: config.accountLinking === "signed-in",
    attemptLimits: resolveAttemptLimits(config.attemptLimits),
    rateLimit: config.rateLimit,
    validateFlow: config.validateFlow,
  }
  return { ...resolved, problems: findConfigErrors(config, resolved) }
}

function resolveBasePath(basePath: unknown): string {
  return stripTrailingSlash(typeof basePath === "string" ? basePath : defaultBasePath) || "/"
}

/** Returns the name if it is a text that fits into one line: a subject line may contain it. */
export function parseApplicationName(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined
  const text = name.trim()
  return /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u.test(text) ? text : undefined
}

/** Returns the theme with its name, or without it if the name is invalid. */
export function resolveTheme({ name, ...theme }: Theme): Theme {
  const parsedName = parseApplicationName(name)
  return parsedName === undefined ? theme : { ...theme, name: parsedName }
}
