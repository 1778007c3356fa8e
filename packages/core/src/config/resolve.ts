/** From the configuration as it was written to the one that is used. */
import type { Adapter } from "../adapters.ts"
import { createHasher } from "../crypto/digest.ts"
import { defaultMaxAge } from "../crypto/jwt.ts"
import { randomHex } from "../crypto/random.ts"
import { createSealer } from "../crypto/seal.ts"
import { EventError } from "../errors.ts"
import { sameOriginUrl } from "../http/callback-url.ts"
import { createCsrf } from "../http/csrf.ts"
import { asideLimit, within } from "../http/deadline.ts"
import { basePrefix } from "../http/route.ts"
import type { ResolvedProvider } from "../providers/resolved.ts"
import { raw, skipCSRFCheck } from "../symbols.ts"
import type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./auth-config.ts"
import { cookieTable } from "./cookies.ts"
import { createLog, type Log } from "./log.ts"
import { ownSecrets } from "./own-secrets.ts"
import { resolvePages } from "./pages.ts"
import { adviceOn, problemsOf } from "./problems.ts"
import { resolveProviders } from "./providers.ts"
import type { Emit, ResolvedConfig, ResolvedJWT } from "./resolved-config.ts"
import { createStore } from "./store.ts"

/** Applies every default. Problems are collected, not thrown: a wrong configuration refuses requests. */
export function resolveConfig(written: AuthConfig, given?: Log): ResolvedConfig {
  const config: Partial<AuthConfig> = written ?? {}
  const own = ownSecrets(config)
  const log = given ?? createLog(config.logger, config.debug === true, own)
  if (config.debug === true) log.warn("debug-enabled")
  if (config.experimental?.enableWebAuthn === true) log.warn("experimental-webauthn")
  const { providers, faults } = resolveProviders(config)
  const secrets = secretsOf(config.secret)
  const session = sessionOf(config)
  const jwt = jwtOf(config, secrets, session)
  const hasher = createHasher(secrets)
  const resolved = {
    basePath: basePathOf(config.basePath),
    secrets,
    providers,
    store: config.adapter ? createStore(config.adapter, log) : undefined,
    can: {
      createUserWithAccount: has(config.adapter, "createUserWithAccount"),
      deleteUser: has(config.adapter, "deleteUser"),
      unlinkAccount: has(config.adapter, "unlinkAccount"),
      updateAccount: has(config.adapter, "updateAccount"),
      useVerificationToken:
        has(config.adapter, "createVerificationToken") &&
        has(config.adapter, "useVerificationToken"),
    },
    session,
    jwt,
    callbacks: { ...defaultCallbacks, ...definedOf(config.callbacks) },
    hasSignInCallback: config.callbacks?.signIn !== undefined,
    hasJwtCallback: config.callbacks?.jwt !== undefined,
    hasSessionCallback: config.callbacks?.session !== undefined,
    emit: emitter(config.events ?? {}, log),
    pages: resolvePages(config.pages),
    cookies: {
      secure: cookieTable(true, config.cookies ?? {}),
      plain: cookieTable(false, config.cookies ?? {}),
    },
    useSecureCookies: config.useSecureCookies,
    theme: config.theme ?? {},
    debug: config.debug === true,
    development: config.development === true,
    log,
    ownSecrets: own,
    hasher,
    sealer: createSealer(jwt.secrets),
    csrf: createCsrf(hasher, secrets),
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck,
    raw: config.raw === raw,
    redirectProxyOrigins: config.redirectProxyOrigins ?? [],
    linksSilently: config.accountLinking === "signed-in",
    addressesAreIdentities: [...providers.values()].some(trustsAddresses),
    rateLimit: config.rateLimit,
  }
  const problems = [...faults, ...problemsOf(config, resolved)]
  return { ...resolved, problems, advice: adviceOn(config, resolved) }
}

function has(adapter: Adapter | undefined, method: keyof Adapter): boolean {
  return typeof adapter?.[method] === "function"
}

function trustsAddresses(provider: ResolvedProvider): boolean {
  // An application that checks passwords finds people by their address.
  if (provider.type === "email" || provider.type === "credentials") return true
  return (provider.type === "oauth" || provider.type === "oidc") && provider.joinsByEmail
}

function secretsOf(secret: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(secret) ? secret : [secret ?? ""]
  return list.filter((entry): entry is string => typeof entry === "string" && entry !== "")
}

function basePathOf(basePath: unknown): string {
  return basePrefix(typeof basePath === "string" ? basePath : "/auth") || "/"
}

function sessionOf(config: Partial<AuthConfig>): SessionOptions {
  return {
    strategy: config.adapter ? "database" : "jwt",
    maxAge: defaultMaxAge,
    updateAge: 86_400,
    generateSessionToken: randomHex,
    ...definedOf(config.session),
  }
}

function jwtOf(
  config: Partial<AuthConfig>,
  secrets: readonly string[],
  session: SessionOptions,
): ResolvedJWT {
  const written = config.jwt ?? {}
  return {
    secrets: written.secret === undefined ? secrets : secretsOf(written.secret),
    maxAge: written.maxAge ?? session.maxAge,
    encode: written.encode,
    decode: written.decode,
    // An own codec gets the secret in the form in which it was written.
    written: {
      ...(config.secret === undefined ? {} : { secret: config.secret }),
      ...definedOf(written),
    },
  }
}

/** An option that is written as undefined is not written. */
function definedOf<T extends object>(options: T | undefined): Partial<T> {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
}

const defaultCallbacks: CallbacksOptions = {
  signIn: () => true,
  redirect: sameOriginUrl,
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

const tooSlow = () => new TypeError(`It did not finish within ${asideLimit / 1000} s`)

const told = Promise.resolve()

const ignore = () => undefined

function emitter(events: Partial<EventCallbacks>, log: Log): Emit {
  const failed = (event: keyof EventCallbacks, cause: unknown) =>
    log.error(new EventError(`The handler of the event ${event} failed.`, { cause, event }))
  return (event, message) => {
    try {
      const handler = events[event] as ((message: unknown) => unknown) | undefined
      // Each session check tells of itself, and few applications listen.
      if (!handler) return told
      const telling = within(asideLimit, (async () => handler(message))(), tooSlow)
      return telling.then(ignore, (cause: unknown) => failed(event, cause))
    } catch (cause) {
      failed(event, cause)
      return told
    }
  }
}
