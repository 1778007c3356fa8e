/** Where a person goes afterwards: asked for, checked, remembered in a cookie. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { ActionRequest, SessionContext } from "../http/action-request.ts"
import { readTextField } from "../http/action-request.ts"
import { isCallbackUrl, resolveSameOriginUrl, validateRedirectUrl } from "../http/callback-url.ts"
import type { Services } from "./services.ts"

/** Longest value of the cookie, in characters as sent; a longer one is not remembered. */
const maxCookieLength = 1024

/**
 * The callback URL of a request: from its body, else its query, else the cookie, else the origin. The cookie is
 * written when the result is another one.
 */
export function resolveCallbackUrl(request: ActionRequest, services: Services): Promise<string> {
  // Asked for by an action, and again for the cookie that every answer carries.
  request.requestCache.callbackUrl ??= findCallbackUrl(request, services)
  return request.requestCache.callbackUrl
}

/** Whether the cookie has the callback URL of a request already: that of most of them, which ask for none. */
export function isCallbackUrlCurrent(
  request: ActionRequest,
  { customCallbacks }: ResolvedConfig,
): boolean {
  const { cookieDefinitions, cookies, search, body, encodedOrigin } = request
  if (search !== "" || body["callbackUrl"] !== undefined) return false
  return (
    !customCallbacks.has("redirect") &&
    cookies.getRaw(cookieDefinitions.callbackUrl.name) === encodedOrigin
  )
}

async function findCallbackUrl(request: ActionRequest, services: Services): Promise<string> {
  const cookie = request.cookieDefinitions.callbackUrl
  const storedUrl = request.cookies.get(cookie.name)
  const requestedUrl = [
    readTextField(request.body, "callbackUrl"),
    request.search === "" ? undefined : request.query.getAll("callbackUrl").at(-1),
    storedUrl,
  ].find((url) => isCallbackUrl(url, request.origin))
  const callbackUrl =
    requestedUrl === undefined
      ? request.origin
      : await applyRedirectCallback(request, requestedUrl, services)
  if (callbackUrl === storedUrl) return callbackUrl
  if (encodeURIComponent(callbackUrl).length <= maxCookieLength)
    request.jar.set(cookie, callbackUrl)
  else if (storedUrl !== undefined) request.jar.delete(cookie)
  return callbackUrl
}

/** What the `redirect` callback makes of a URL; its faults lead to the origin. */
export async function applyRedirectCallback(
  { origin: baseUrl }: Pick<SessionContext, "origin">,
  url: string,
  { config, logger }: Services,
): Promise<string> {
  // Every answer asks, most applications leave it to us, and our own word needs no check.
  if (!config.customCallbacks.has("redirect")) return resolveSameOriginUrl({ url, baseUrl })
  try {
    const returned: unknown = await config.callbacks.redirect({ url, baseUrl })
    const target = validateRedirectUrl(returned, baseUrl)
    if (target !== undefined) return target
    throw new TypeError("The `redirect` callback must return a path or an http(s) URL")
  } catch (error) {
    logger.error(error)
    return baseUrl
  }
}
