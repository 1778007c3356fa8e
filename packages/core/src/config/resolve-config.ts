/** From the configuration as it was written to the one that is used. */
import type { Adapter } from "../adapters.ts"
import { createHasher } from "../crypto/digest.ts"
import { defaultMaxAge } from "../crypto/jwt.ts"
import { randomHex } from "../crypto/random.ts"
import { createSealer } from "../crypto/sealer.ts"
import { EventError } from "../errors.ts"
import { resolveSameOriginUrl } from "../http/callback-url.ts"
import { createCsrfTokens } from "../http/csrf.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import { raw, skipCSRFCheck } from "../symbols.ts"
import { createAdapterStore } from "./adapter-store.ts"
import type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./auth-config.ts"
import { findConfigErrors, findOptionWarnings } from "./config-problems.ts"
import { collectConfiguredSecrets } from "./configured-secrets.ts"
import { createCookieDefinitions } from "./cookie-definitions.ts"
import { resolveCustomPages } from "./custom-pages.ts"
import { createLogger, type Logger } from "./logger.ts"
import { resolveProviders } from "./resolve-providers.ts"
import type { EmitEvent, ResolvedConfig, ResolvedJWT } from "./resolved-config.ts"

/** Applies every default. Problems are collected, not thrown: a wrong configuration refuses requests. */
export function resolveConfig(authConfig: AuthConfig, customLogger?: Logger): ResolvedConfig {
  const config: Partial<AuthConfig> = authConfig ?? {}
  const configuredSecrets = collectConfiguredSecrets(config)
  const log = customLogger ?? createLogger(config.logger, config.debug === true, configuredSecrets)
  if (config.debug === true) log.warn("debug-enabled")
  if (config.experimental?.enableWebAuthn === true) log.warn("experimental-webauthn")
  const { providers, providerProblems } = resolveProviders(config)
  const secrets = normalizeSecrets(config.secret)
  const session = resolveSessionOptions(config)
  const jwt = resolveJwtOptions(config, secrets, session)
  const hasher = createHasher(secrets)
  const resolved = {
    basePath: resolveBasePath(config.basePath),
    secrets,
    providers,
    store: config.adapter ? createAdapterStore(config.adapter, log) : undefined,
    adapterSupports: {
      createUserWithAccount: hasMethod(config.adapter, "createUserWithAccount"),
      deleteUser: hasMethod(config.adapter, "deleteUser"),
      unlinkAccount: hasMethod(config.adapter, "unlinkAccount"),
      updateAccount: hasMethod(config.adapter, "updateAccount"),
      useVerificationToken:
        hasMethod(config.adapter, "createVerificationToken") &&
        hasMethod(config.adapter, "useVerificationToken"),
    },
    session,
    jwt,
    callbacks: { ...defaultCallbacks, ...omitUndefined(config.callbacks) },
    hasSignInCallback: config.callbacks?.signIn !== undefined,
    hasJwtCallback: config.callbacks?.jwt !== undefined,
    hasSessionCallback: config.callbacks?.session !== undefined,
    emit: createEventEmitter(config.events ?? {}, log),
    pages: resolveCustomPages(config.pages),
    cookies: {
      secure: createCookieDefinitions(true, config.cookies ?? {}),
      plain: createCookieDefinitions(false, config.cookies ?? {}),
    },
    useSecureCookies: config.useSecureCookies,
    theme: config.theme ?? {},
    debug: config.debug === true,
    development: config.development === true,
    logger: log,
    configuredSecrets,
    hasher,
    sealer: createSealer(jwt.secrets),
    csrf: createCsrfTokens(hasher, secrets),
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck,
    raw: config.raw === raw,
    redirectProxyOrigins: config.redirectProxyOrigins ?? [],
    implicitLinking: config.accountLinking === "signed-in",
    emailIdentifiesUser: [...providers.values()].some(identifiesUserByEmail),
    rateLimit: config.rateLimit,
  }
  const problems = [...providerProblems, ...findConfigErrors(config, resolved)]
  return { ...resolved, problems, warnings: findOptionWarnings(config, resolved) }
}

function hasMethod(adapter: Adapter | undefined, method: keyof Adapter): boolean {
  return typeof adapter?.[method] === "function"
}

function identifiesUserByEmail(provider: ResolvedProvider): boolean {
  // An application that checks passwords finds people by their address.
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
    ...omitUndefined(config.session),
  }
}

function resolveJwtOptions(
  config: Partial<AuthConfig>,
  secrets: readonly string[],
  session: SessionOptions,
): ResolvedJWT {
  const jwtOptions = config.jwt ?? {}
  return {
    secrets: jwtOptions.secret === undefined ? secrets : normalizeSecrets(jwtOptions.secret),
    maxAge: jwtOptions.maxAge ?? session.maxAge,
    encode: jwtOptions.encode,
    decode: jwtOptions.decode,
    // An own codec gets the secret in the form in which it was written.
    configuredOptions: {
      ...(config.secret === undefined ? {} : { secret: config.secret }),
      ...omitUndefined(jwtOptions),
    },
  }
}

/** An option that is written as undefined is not written. */
function omitUndefined<T extends object>(options: T | undefined): Partial<T> {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
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

const createTimeoutError = () =>
  new TypeError(`It did not finish within ${backgroundTimeout / 1000} s`)

const resolvedPromise = Promise.resolve()

const noop = () => undefined

function createEventEmitter(events: Partial<EventCallbacks>, log: Logger): EmitEvent {
  const logFailure = (event: keyof EventCallbacks, cause: unknown) =>
    log.error(new EventError(`The handler of the event ${event} failed.`, { cause, event }))
  return (event, message) => {
    try {
      const handler = events[event] as ((message: unknown) => unknown) | undefined
      // Each session check tells of itself, and few applications listen.
      if (!handler) return resolvedPromise
      const handled = withTimeout(
        backgroundTimeout,
        (async () => handler(message))(),
        createTimeoutError,
      )
      return handled.then(noop, (cause: unknown) => logFailure(event, cause))
    } catch (cause) {
      logFailure(event, cause)
      return resolvedPromise
    }
  }
}
