/** Names and attributes of the library's cookies: defaults, and what the application wrote over them. */
import type { CookieTable, NamedCookie } from "../http/cookies.ts"
import type { CookieOptions, CookiesOptions } from "../types.ts"

/** How long a sign-in may be under way, in seconds. */
export const flowLifetime = 900

interface Default {
  readonly name: string
  /** `__Host-` where the browser is to guarantee that no sub-domain wrote it. */
  readonly prefix: "__Host-" | "__Secure-"
  readonly maxAge?: number
}

const defaults: Readonly<Record<keyof CookiesOptions, Default>> = {
  sessionToken: { name: "authjs.session-token", prefix: "__Secure-" },
  callbackUrl: { name: "authjs.callback-url", prefix: "__Secure-" },
  csrfToken: { name: "authjs.csrf-token", prefix: "__Host-" },
  pkceCodeVerifier: {
    name: "authjs.pkce.code_verifier",
    prefix: "__Secure-",
    maxAge: flowLifetime,
  },
  state: { name: "authjs.state", prefix: "__Secure-", maxAge: flowLifetime },
  nonce: { name: "authjs.nonce", prefix: "__Secure-", maxAge: flowLifetime },
  webauthnChallenge: { name: "authjs.challenge", prefix: "__Secure-", maxAge: flowLifetime },
}

/** The cookies for requests by https (`secure`) or http. */
export function cookieTable(secure: boolean, written: Partial<CookiesOptions>): CookieTable {
  const entries = Object.entries(defaults).map(([key, fallback]) => {
    const over = written[key as keyof CookiesOptions]
    return [key, cookieOf(fallback, secure, over)]
  })
  return Object.fromEntries(entries) as CookieTable // one entry for each key of `defaults`
}

function cookieOf(
  fallback: Default,
  secure: boolean,
  written: CookiesOptions[keyof CookiesOptions] | undefined,
): NamedCookie {
  const options: CookieOptions = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
    ...(fallback.maxAge === undefined ? {} : { maxAge: fallback.maxAge }),
  }
  const over = Object.entries(written?.options ?? {}).filter(([, value]) => value !== undefined)
  return {
    name: written?.name ?? (secure ? fallback.prefix : "") + fallback.name,
    options: { ...options, ...Object.fromEntries(over) },
  }
}
