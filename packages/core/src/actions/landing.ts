/** Where a person goes afterwards: asked for, checked, remembered in a cookie. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { isCallbackUrl, redirectTarget, sameOriginUrl } from "../http/callback-url.ts"
import type { Exchange, Visit } from "../http/exchange.ts"
import { textOf } from "../http/exchange.ts"

/** Longest value of the cookie, in characters as sent; a longer one is not remembered. */
const longestCookie = 1024

/**
 * The callback URL of a request: from its body, else its query, else the cookie, else the origin. The cookie is
 * written when the result is another one.
 */
export function landingOf(exchange: Exchange, config: ResolvedConfig): Promise<string> {
  // Asked for by an action, and again for the cookie that every answer carries.
  exchange.recollection.landing ??= findLanding(exchange, config)
  return exchange.recollection.landing
}

/** Whether the cookie has the callback URL of a request already: that of most of them, which ask for none. */
export function isLandingKnown(exchange: Exchange, { callbacks }: ResolvedConfig): boolean {
  const { table, cookies, search, body, sentOrigin } = exchange
  if (search !== "" || body["callbackUrl"] !== undefined) return false
  return callbacks.redirect === sameOriginUrl && cookies.sent(table.callbackUrl.name) === sentOrigin
}

async function findLanding(exchange: Exchange, config: ResolvedConfig): Promise<string> {
  const cookie = exchange.table.callbackUrl
  const remembered = exchange.cookies.get(cookie.name)
  const asked = [
    textOf(exchange.body, "callbackUrl"),
    exchange.search === "" ? undefined : exchange.query.getAll("callbackUrl").at(-1),
    remembered,
  ].find((url) => isCallbackUrl(url, exchange.origin))
  const landing = asked === undefined ? exchange.origin : await allowedUrl(exchange, asked, config)
  if (landing === remembered) return landing
  if (encodeURIComponent(landing).length <= longestCookie) exchange.jar.set(cookie, landing)
  else if (remembered !== undefined) exchange.jar.delete(cookie)
  return landing
}

/** What the `redirect` callback makes of a URL; its faults lead to the origin. */
export async function allowedUrl(
  { origin: baseUrl }: Pick<Visit, "origin">,
  url: string,
  config: ResolvedConfig,
): Promise<string> {
  // Every answer asks, most applications leave it to us, and our own word needs no check.
  if (config.callbacks.redirect === sameOriginUrl) return sameOriginUrl({ url, baseUrl })
  try {
    const answer: unknown = await config.callbacks.redirect({ url, baseUrl })
    const target = redirectTarget(answer, baseUrl)
    if (target !== undefined) return target
    throw new TypeError("The `redirect` callback must return a path or an http(s) URL")
  } catch (error) {
    config.log.error(error)
    return baseUrl
  }
}
