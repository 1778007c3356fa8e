/** The words for cookies. This file imports nothing. */

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
  /** The session: sealed claims, or the token of a row. */
  sessionToken: Partial<CookieOption>
  /** Where to go after sign-in. */
  callbackUrl: Partial<CookieOption>
  /** The secret half of the protection against forged forms. */
  csrfToken: Partial<CookieOption>
  /** Not set any longer: a sign-in travels in a cookie named after `state`. */
  pkceCodeVerifier: Partial<CookieOption>
  /** One sealed cookie for each sign-in that is on its way, its key behind this name. */
  state: Partial<CookieOption>
  /** Not set any longer: see `pkceCodeVerifier`. */
  nonce: Partial<CookieOption>
  /** One sealed cookie for each passkey ceremony, its key behind this name. */
  webauthnChallenge: Partial<CookieOption>
}

/** A cookie to set. */
export interface Cookie {
  name: string
  value: string
  options: CookieOptions
}
