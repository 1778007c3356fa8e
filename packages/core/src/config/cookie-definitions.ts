/** Names and attributes of the cookies: the defaults, and the application's overrides. */
import type { CookieDefinition, CookieDefinitions } from "../http/cookies.ts"
import { omitUndefined } from "../objects.ts"
import type { CookieOptions, CookiesOptions } from "../types.ts"
import type { AuthConfig } from "./auth-config.ts"

/** How long a sign-in may take, in seconds. */
export const pendingSignInMaxAge = 900

interface CookieDefault {
  readonly name: string
  /** With `__Host-`, browsers guarantee that no sub-domain set the cookie. */
  readonly prefix: "__Host-" | "__Secure-"
  readonly maxAge?: number
}

const cookieDefaults: Readonly<Record<keyof CookieDefinitions, CookieDefault>> = {
  sessionToken: { name: "authjs.session-token", prefix: "__Secure-" },
  callbackUrl: { name: "authjs.callback-url", prefix: "__Secure-" },
  csrfToken: { name: "authjs.csrf-token", prefix: "__Host-" },
  state: { name: "authjs.state", prefix: "__Secure-", maxAge: pendingSignInMaxAge },
  webauthnChallenge: { name: "authjs.challenge", prefix: "__Secure-", maxAge: pendingSignInMaxAge },
  emailRequest: { name: "authjs.email-request", prefix: "__Secure-" },
}

/** The keys of `cookies` in the configuration. */
export const cookieKeys: readonly string[] = Object.keys(cookieDefaults)

/** Returns the cookies for requests over https (`secure`) or http. */
export function createCookieDefinitions(
  secure: boolean,
  customCookies: Partial<CookiesOptions>,
  useHostPrefix: AuthConfig["useHostPrefix"] = false,
): CookieDefinitions {
  const entries = Object.entries(cookieDefaults).map(([key, { name, prefix, maxAge }]) => {
    const custom = customCookies[key as keyof CookiesOptions]
    const attributes: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure }
    const options = {
      ...attributes,
      ...omitUndefined({ maxAge, ...omitUndefined(custom?.options ?? {}) }),
    }
    const cookie = { name: custom?.name ?? (secure ? prefix : "") + name, options }
    const isRenamed = key === "sessionToken" && secure && useHostPrefix !== false
    return [key, isRenamed ? addHostPrefix(cookie, useHostPrefix === "migrate") : cookie]
  })
  return Object.fromEntries(entries) as CookieDefinitions // one entry for each key of `cookieDefaults`
}

function addHostPrefix(cookie: CookieDefinition, readsFormerName: boolean): CookieDefinition {
  const { name: formerName, options } = cookie
  const name = `__Host-${String(formerName).replace(/^__(?:Secure|Host)-/, "")}`
  return readsFormerName && name !== formerName ? { name, formerName, options } : { name, options }
}
