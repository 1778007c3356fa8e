/** Names and attributes of the cookies: the defaults, and the application's overrides. */
import type {
  CookieDefinition,
  CookieDefinitions,
  SessionCookieDefinitions,
} from "../http/cookies.ts"
import { omitUndefined } from "../objects.ts"
import type { CookieOptions, CookiesOptions } from "../types.ts"
import type { AuthConfig } from "./auth-config.ts"

interface CookieDefault {
  readonly name: string
  /** With `__Host-`, browsers guarantee that no sub-domain set the cookie. */
  readonly prefix: "__Host-" | "__Secure-"
  readonly maxAge?: number
}

/** By the keys of `cookies` in the configuration. */
export type CookieDefaults<Key extends keyof CookieDefinitions> = Readonly<
  Record<Key, CookieDefault>
>

export const sessionCookieDefaults: CookieDefaults<keyof SessionCookieDefinitions> = {
  sessionToken: { name: "authjs.session-token", prefix: "__Secure-" },
  signedOut: { name: "authjs.signed-out", prefix: "__Host-" },
}

/** Returns the cookies for requests over https (`secure`) or http. */
export function createCookieDefinitions<Key extends keyof CookieDefinitions>(
  cookieDefaults: CookieDefaults<Key>,
  secure: boolean,
  customCookies: Partial<CookiesOptions>,
  useHostPrefix: AuthConfig["useHostPrefix"] = false,
  accept: unknown = [],
): Readonly<Record<Key, CookieDefinition>> {
  const defaults = Object.entries<CookieDefault>(cookieDefaults)
  const entries = defaults.map(([key, { name, prefix, maxAge }]) => {
    const custom = customCookies[key as keyof CookiesOptions]
    const attributes: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure }
    const options = {
      ...attributes,
      ...omitUndefined({ maxAge, ...omitUndefined(custom?.options ?? {}) }),
    }
    const cookie = { name: custom?.name ?? (secure ? prefix : "") + name, options }
    if (key !== "sessionToken") return [key, cookie]
    const renamed =
      secure && useHostPrefix !== false ? addHostPrefix(cookie, useHostPrefix) : cookie
    return [
      key,
      [accept].flat().includes("next-auth@4") ? addNextAuth4Name(renamed, secure) : renamed,
    ]
  })
  return Object.fromEntries(entries) as Record<Key, CookieDefinition> // one entry for each key of `cookieDefaults`
}

function addHostPrefix(
  { name, options }: CookieDefinition,
  useHostPrefix: true | "migrate",
): CookieDefinition {
  const hostName = `__Host-${String(name).replace(/^__(?:Secure|Host)-/, "")}`
  const isRead = useHostPrefix === "migrate" && hostName !== name
  return { name: hostName, options, ...(isRead && { formerNames: [name] }) }
}

function addNextAuth4Name(cookie: CookieDefinition, secure: boolean): CookieDefinition {
  const name = `${secure ? "__Secure-" : ""}next-auth.session-token`
  return cookie.name === name
    ? cookie
    : { ...cookie, formerNames: [...(cookie.formerNames ?? []), name] }
}
