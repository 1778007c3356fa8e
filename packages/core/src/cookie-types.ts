/** Types of cookies. This file imports nothing. */

/** Attributes of a cookie (RFC 6265bis). */
export interface CookieOptions {
  /** Lifetime in seconds. */
  maxAge?: number
  expires?: Date
  domain?: string
  path?: string
  httpOnly?: boolean
  secure?: boolean
  partitioned?: boolean
  priority?: "low" | "medium" | "high"
  sameSite?: boolean | "lax" | "strict" | "none"
  /** Replaces the percent-encoding of the value. */
  encode?: (value: string) => string
}

/** Name and attributes of one of the library's cookies. */
export interface CookieOption {
  name: string
  options: CookieOptions
}

/** The cookies of the library. */
export interface CookiesOptions {
  /** The session: encrypted claims, or the token of a stored session. */
  sessionToken: Partial<CookieOption>
  /** The URL to return to after the sign-in. */
  callbackUrl: Partial<CookieOption>
  /** The CSRF token, and hashes that verify it. */
  csrfToken: Partial<CookieOption>
  /** No longer set: the transaction cookies, named after `state`, contain the code verifier. */
  pkceCodeVerifier: Partial<CookieOption>
  /** The prefix of the transaction cookies: one encrypted cookie per pending sign-in, whose key follows the prefix. */
  state: Partial<CookieOption>
  /** No longer set: see `pkceCodeVerifier`. */
  nonce: Partial<CookieOption>
  /** The prefix of the challenge cookies: one encrypted cookie per passkey ceremony, whose key follows the prefix. */
  webauthnChallenge: Partial<CookieOption>
  /** The prefix of the cookies that mark the browser that requested an e-mail link: one per link. */
  emailRequest: Partial<CookieOption>
  /** The time of the last sign-out from an encrypted session, which makes it final. */
  signedOut: Partial<CookieOption>
  /** The accounts that the browser has signed in to, as keyed hashes: nobody else can use up its attempts. */
  knownBrowser: Partial<CookieOption>
  /** The id of the provider that the browser signed in with the last time, which the sign-in page shows first. */
  lastProvider: Partial<CookieOption>
}

/** A cookie to set. */
export interface Cookie {
  name: string
  value: string
  options: CookieOptions
}
