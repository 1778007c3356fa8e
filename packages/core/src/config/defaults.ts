/**
 * The default of every option of the configuration that has one. An option that is omitted and not listed here is off. Those
 * that follow from other options, and the default callbacks, are in `resolve-config.ts` and `resolve-session-config.ts`.
 */
import type { CookiesOptions } from "../types.ts"

/** `basePath` */
export const defaultBasePath = "/auth"

/** `session`. The strategy is `database` with an adapter. */
export const defaultSession = {
  strategy: "jwt",
  maxAge: 2_592_000, // 30 days
  updateAge: 86_400,
  providerTokens: false,
  keepIdToken: false,
} as const

/** `session.rememberMe`, if it is on. */
export const defaultRememberMe = { default: false, temporaryMaxAge: 86_400 } as const

/** `session.records`, if it is on. The store is the adapter. */
export const defaultSessionRecords = {
  deviceLabel: undefined,
  network: false,
  lastSeenInterval: 300,
  pollInterval: 1,
  maxStaleness: 60,
} as const

/** How long a sign-in may take, in seconds. */
export const pendingSignInMaxAge = 900

interface CookieDefault {
  readonly name: string
  /** With `__Host-`, browsers guarantee that no sub-domain set the cookie. */
  readonly prefix: "__Host-" | "__Secure-"
  readonly maxAge?: number
}

/** `cookies`, by their keys: the end of each name, whose beginning `getNameStem` decides. The prefix is for https. */
export const defaultCookies: Readonly<
  Record<Exclude<keyof CookiesOptions, "nonce" | "pkceCodeVerifier">, CookieDefault>
> = {
  sessionToken: { name: "session-token", prefix: "__Secure-" },
  callbackUrl: { name: "callback-url", prefix: "__Secure-" },
  csrfToken: { name: "csrf-token", prefix: "__Host-" },
  state: { name: "state", prefix: "__Secure-", maxAge: pendingSignInMaxAge },
  webauthnChallenge: { name: "challenge", prefix: "__Secure-", maxAge: pendingSignInMaxAge },
  emailRequest: { name: "email-request", prefix: "__Secure-" },
  signedOut: { name: "signed-out", prefix: "__Host-" },
  knownBrowser: { name: "known-browser", prefix: "__Host-", maxAge: 180 * 86_400 },
  lastProvider: { name: "last-provider", prefix: "__Host-", maxAge: 365 * 86_400 },
}

/**
 * `attemptLimits`. The reasons for the numbers are in docs/decisions/0026-attempt-limits.md. The limit for the pair
 * refuses a guessing network long before the limit for the account alone, which would also refuse the owner.
 */
export const defaultAttemptLimits: Readonly<Record<string, Limits>> = {
  credentials: createLimits(300, 10, 100, 300),
  "email-request": createLimits(100, 5, 20),
  "email-link": createLimits(300, 10, 30),
  // A code has six digits, so the attempts of a day are limited as well.
  "email-code": createLimits(100, 10, 50, 86_400),
  "webauthn-options": createLimits(600, 30, 300, 300),
  // Also six digits, of which three are right at any time.
  "second-factor": createLimits(100, 10, 50, 86_400),
}

type Limit = { readonly max: number; readonly window: number }
type Limits = Readonly<Record<"network" | "identifierAndNetwork" | "identifier", Limit>>

/** @param window of the limit for the account, in seconds. That of the others is ten minutes. */
function createLimits(network: number, pair: number, account: number, window = 600): Limits {
  return {
    network: { max: network, window: 600 },
    identifierAndNetwork: { max: pair, window: 600 },
    identifier: { max: account, window },
  }
}
