import type { RequestLike } from "@latchkey/core/integration"
import { getNodeContext, type StartEvent } from "./event.ts"

/** Returns the path of an event's request, whose URL may be only a path. */
export function getPathname({ request: { url } }: StartEvent): string {
  return URL.canParse(url) ? new URL(url).pathname : (url.split("?", 1)[0] ?? "")
}

/**
 * Returns URL and headers of a request with the scheme of its connection. SolidStart 1 takes the scheme from
 * `X-Forwarded-Proto`, whoever sent it.
 */
export function getRequestAddress(event: StartEvent): RequestLike {
  const { url, headers } = event.request
  const socket = getNodeContext(event)?.req?.socket
  if (!socket || !URL.canParse(url)) return { url, headers }
  const requestUrl = new URL(url)
  requestUrl.protocol = socket.encrypted ? "https:" : "http:"
  return { url: requestUrl.href, headers }
}
