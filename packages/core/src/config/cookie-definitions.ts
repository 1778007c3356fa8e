/** Names and attributes of the cookies: the defaults, and the application's overrides. */
import { type CookieDefinition, type CookieDefinitions, getNameStem } from "../http/cookies.ts"
import { isObject, omitUndefined } from "../objects.ts"
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
  const stem = getNameStem(customCookies.sessionToken?.name ?? "authjs.session-token")
  const entries = Object.entries(defaultCookies).map(([key, { name: suffix, prefix, maxAge }]) => {
    const name = `${stem}.${suffix}`
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
    // Other values are errors of the configuration, which refuses every request.
    const accepted = Array.isArray(accept) ? accept.filter(isObject) : []
    const names = accepted.map(({ cookieName }) => `${secure ? "__Secure-" : ""}${cookieName}`)
    return [key, names.reduce(addFormerName, renamed)]
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

function addFormerName(cookie: CookieDefinition, name: string): CookieDefinition {
  return cookie.name === name
    ? cookie
    : { ...cookie, formerNames: [...(cookie.formerNames ?? []), name] }
}
