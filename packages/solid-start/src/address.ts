/** The URL of a request as the browser sees it. */
import type { Addressed, Mounted } from "@latchkey/core/mounting"
import { nodeSides, type StartEvent } from "./event.ts"

/**
 * The URL of an event's request: its origin is that of `AUTH_URL`, else that of trusted forwarded headers, else what
 * the framework found.
 *
 * @throws InvalidRequest 400 when nothing names a host, or what names it is none
 */
export function locate(event: StartEvent, { locate }: Mounted): URL {
  return locate(addressOf(event))
}

/** The path of an event's request, whose URL may be only that. */
export function pathOf({ request: { url } }: StartEvent): string {
  return URL.canParse(url) ? new URL(url).pathname : (url.split("?", 1)[0] ?? "")
}

/** SolidStart 1 takes the scheme from anybody's `X-Forwarded-Proto`: what the connection says counts. */
export function addressOf(event: StartEvent): Addressed {
  const { url, headers } = event.request
  const socket = nodeSides(event)?.req?.socket
  if (!socket || !URL.canParse(url)) return { url, headers }
  const seen = new URL(url)
  seen.protocol = socket.encrypted ? "https:" : "http:"
  return { url: seen.href, headers }
}
