/** Resolves the callback URL: where the browser goes after an action. */
import type { ActionRequest, SessionContext } from "../http/action-request.ts"
import { readTextField } from "../http/action-request.ts"
import { isCallbackUrl, validateRedirectUrl } from "../http/callback-url.ts"
import type { Services } from "./services.ts"

/** Longest encoded value of the cookie. Longer callback URLs are not remembered. */
const maxCookieLength = 1024

/**
 * Returns the callback URL of a request: from its body, else its query, else the cookie, else the origin. Updates the
 * cookie if it has another one.
 */
export function resolveCallbackUrl(request: ActionRequest, services: Services): Promise<string> {
  // Cached, because the `redirect` callback runs once per request.
  request.requestCache.callbackUrl ??= findCallbackUrl(request, services)
  return request.requestCache.callbackUrl
}

/** Whether the cookie is up to date for sure. A cheap check for the many requests without a callback URL. */
export function isCallbackUrlCurrent(request: ActionRequest, { config }: Services): boolean {
  const { cookieDefinitions, cookies, search, body, encodedOrigin } = request
  return (
    search === "" &&
    body["callbackUrl"] === undefined &&
    !config.customCallbacks.has("redirect") &&
    cookies.getRaw(cookieDefinitions.callbackUrl.name) === encodedOrigin
  )
}

async function findCallbackUrl(request: ActionRequest, services: Services): Promise<string> {
  const { origin, jar } = request
  const cookie = request.cookieDefinitions.callbackUrl
  const storedUrl = request.cookies.get(cookie.name)
  const requestedUrl = [
    readTextField(request.body, "callbackUrl"),
    // Without a query, the URL need not be parsed.
    request.search === "" ? undefined : request.query.getAll("callbackUrl").at(-1),
    storedUrl,
  ].find((url) => isCallbackUrl(url, origin))
  const callbackUrl =
    requestedUrl === undefined
      ? origin
      : await applyRedirectCallback(request, requestedUrl, services)
  if (callbackUrl === storedUrl) return callbackUrl
  if (encodeURIComponent(callbackUrl).length <= maxCookieLength) jar.set(cookie, callbackUrl)
  else if (storedUrl !== undefined) jar.delete(cookie)
  return callbackUrl
}

/** Passes a URL to the `redirect` callback. If the callback fails or returns no valid URL, returns the origin. */
export async function applyRedirectCallback(
  { origin: baseUrl }: SessionContext,
  url: string,
  { config, logger }: Services,
): Promise<string> {
  try {
    const target = validateRedirectUrl(await config.callbacks.redirect({ url, baseUrl }), baseUrl)
    if (target !== undefined) return target
    throw new TypeError("The `redirect` callback must return a path or an http(s) URL")
  } catch (error) {
    logger.error(error)
    return baseUrl
  }
}
