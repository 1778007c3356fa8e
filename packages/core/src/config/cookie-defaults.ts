/** The cookies of the library. */
import type { CookieDefinitions } from "../http/cookies.ts"
import { type CookieDefaults, sessionCookieDefaults } from "./cookie-definitions.ts"

/** How long a sign-in may take, in seconds. */
export const pendingSignInMaxAge = 900

/** By the keys of `cookies` in the configuration. */
export const cookieDefaults: CookieDefaults<keyof CookieDefinitions> = {
  sessionToken: sessionCookieDefaults.sessionToken,
  callbackUrl: { name: "authjs.callback-url", prefix: "__Secure-" },
  csrfToken: { name: "authjs.csrf-token", prefix: "__Host-" },
  state: { name: "authjs.state", prefix: "__Secure-", maxAge: pendingSignInMaxAge },
  webauthnChallenge: { name: "authjs.challenge", prefix: "__Secure-", maxAge: pendingSignInMaxAge },
  emailRequest: { name: "authjs.email-request", prefix: "__Secure-" },
  signedOut: sessionCookieDefaults.signedOut,
  knownBrowser: { name: "authjs.known-browser", prefix: "__Host-", maxAge: 180 * 86_400 },
  lastProvider: { name: "authjs.last-provider", prefix: "__Host-", maxAge: 365 * 86_400 },
}
