/** Names and attributes of the cookies: the defaults, and the application's overrides. */
import type { CookieDefinition, CookieDefinitions } from "../http/cookies.ts"
import { omitUndefined } from "../objects.ts"
import type { CookieOptions, CookiesOptions } from "../types.ts"
import type { AuthConfig } from "./auth-config.ts"
import { defaultCookies } from "./defaults.ts"

/** Returns the cookies for requests over https (`secure`) or http. */
export function createCookieDefinitions(
  secure: boolean,
  customCookies: Partial<CookiesOptions> = {},
  useHostPrefix: AuthConfig["useHostPrefix"] = false,
  accept: unknown = [],
): CookieDefinitions {
  const entries = Object.entries(defaultCookies).map(([key, { name, prefix, maxAge }]) => {
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
  return Object.fromEntries(entries)
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
