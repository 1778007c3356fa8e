/** Resolves the callback URL: where the browser goes after an action. `http/callback-url.ts` has the rules. */
import { findOAuthProvider } from "../config/resolve-providers.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { isCallbackUrl, validateRedirectUrl } from "../http/callback-url.ts"
import { readTextField } from "../http/request-body.ts"
import { addRequest } from "../http/request-view.ts"
import { isBasePath, parseRoute } from "../http/route.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { ActionContext } from "./action-context.ts"

/** Longest encoded value of the cookie. Longer callback URLs are not remembered. */
const maxCookieLength = 1024

/**
 * Returns the callback URL of a request: from its body, else its query, else the cookie, else the origin. Updates the
 * cookie if it has another one.
 */
export function resolveCallbackUrl(context: ActionContext): Promise<string> {
  // The `redirect` callback runs once per request.
  context.request.callbackUrl ??= findCallbackUrl(context)
  return context.request.callbackUrl
}

/**
 * Returns the callback URL for a response that leads there at once: the origin instead of one of the actions, which
 * might lead back.
 */
export async function resolveDestination(context: ActionContext): Promise<string> {
  return avoidActions(context, await resolveCallbackUrl(context))
}

/**
 * Returns the origin instead of the URL of an action. The page that adds a passkey is allowed: it leads on to its own
 * callback URL.
 */
export function avoidActions({ request, config }: ActionContext, callbackUrl: string): string {
  const { origin, pathname } = new URL(callbackUrl)
  const route = parseRoute(pathname, config.basePath)
  const isAction = isBasePath(pathname, config.basePath) || route !== undefined
  if (origin !== request.origin || !isAction) return callbackUrl
  const provider = route?.action === "signin" && config.providers.get(route.providerId ?? "")
  return provider && provider.type === "webauthn" && !provider.isExperimental ? callbackUrl : origin
}

/** Whether a response may have to set the cookie. Most requests have it, for the origin, and no query. */
export function mayChangeCallbackUrl(request: ActionRequest): boolean {
  const { url, origin, cookies, cookieDefinitions } = request
  return url.search !== "" || cookies.get(cookieDefinitions.callbackUrl.name) !== origin
}

async function findCallbackUrl(context: ActionContext): Promise<string> {
  const { origin, jar, cookies, cookieDefinitions, action, providerId, body, query } =
    context.request
  const cookie = cookieDefinitions.callbackUrl
  const storedUrl = cookies.get(cookie.name)
  // Other sites can make the browser send a provider's response, so its parameters do not count.
  const isOwnRequest = action !== "callback" || !findOAuthProvider(context.config, providerId)
  const sentUrls = [readTextField(body, "callbackUrl"), query.getAll("callbackUrl").at(-1)]
  const urls = isOwnRequest ? [...sentUrls, storedUrl] : [storedUrl]
  const requestedUrl = urls.find((url) => isCallbackUrl(url, origin))
  const callbackUrl =
    requestedUrl === undefined ? origin : await applyRedirectCallback(context, requestedUrl)
  if (callbackUrl === storedUrl) return callbackUrl
  if (encodeURIComponent(callbackUrl).length <= maxCookieLength) jar.set(cookie, callbackUrl)
  else if (storedUrl !== undefined) jar.delete(cookie)
  return callbackUrl
}

/** Passes a URL to the `redirect` callback. If that fails, hangs or returns no valid URL, returns the origin. */
export async function applyRedirectCallback(
  { request, config, logger }: ActionContext,
  url: string,
): Promise<string> {
  const { origin: baseUrl } = request
  try {
    const result = config.callbacks.redirect(addRequest({ url, baseUrl }, request))
    const chosenUrl =
      typeof result === "string"
        ? result
        : await withTimeout(backgroundTimeout, Promise.resolve(result), timeoutMessage)
    const target = validateRedirectUrl(chosenUrl, baseUrl)
    if (target !== undefined) return target
    throw new TypeError("The `redirect` callback must return a path or an http(s) URL")
  } catch (error) {
    logger.error(error)
    return baseUrl
  }
}

const timeoutMessage = "The `redirect` callback did not return"
