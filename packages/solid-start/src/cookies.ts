/** Cookies of an answer that the framework writes. */
import { serializeCookie } from "@latchkey/core"
import { withCookieLines } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import { nodeSides, type StartEvent } from "./event.ts"

/**
 * Adds cookies to the answer of an event, beside those that others set.
 *
 * @returns whether they could be added: not where the answer is unknown, or on its way
 */
export function setCookies(event: StartEvent, cookies: readonly Cookie[]): boolean {
  const headers = event.response?.headers
  if (!headers || nodeSides(event)?.res?.headersSent) return false
  if (cookies.length === 0) return true
  // SolidStart 1 has one line that is undefined where there are none.
  const earlier = headers.getSetCookie().filter(Boolean)
  headers.delete("set-cookie")
  for (const line of withCookieLines(earlier, cookies.map(serializeCookie))) {
    headers.append("set-cookie", line)
  }
  return true
}
