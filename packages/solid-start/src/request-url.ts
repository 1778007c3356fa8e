/** The URL of a request as the browser sees it. */
import type { IntegratedAuth, RequestLike } from "@latchkey/core/integration"
import { getNodeContext, type StartEvent } from "./event.ts"

/**
 * The URL of an event's request: its origin is that of `AUTH_URL`, else that of trusted forwarded headers, else what
 * the framework found.
 *
 * @throws InvalidRequest 400 when nothing names a host, or what names it is none
 */
export function getRequestUrl(event: StartEvent, { resolveRequestUrl }: IntegratedAuth): URL {
  return resolveRequestUrl(getRequestAddress(event))
}

/** The path of an event's request, whose URL may be only that. */
export function getPathname({ request: { url } }: StartEvent): string {
  return URL.canParse(url) ? new URL(url).pathname : (url.split("?", 1)[0] ?? "")
}

/** SolidStart 1 takes the scheme from anybody's `X-Forwarded-Proto`: what the connection says counts. */
export function getRequestAddress(event: StartEvent): RequestLike {
  const { url, headers } = event.request
  const socket = getNodeContext(event)?.req?.socket
  if (!socket || !URL.canParse(url)) return { url, headers }
  const requestUrl = new URL(url)
  requestUrl.protocol = socket.encrypted ? "https:" : "http:"
  return { url: requestUrl.href, headers }
}
