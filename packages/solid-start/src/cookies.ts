import { serializeCookie } from "@latchkey/core"
import {
  addSetCookieLines,
  keepOutOfCaches,
  type ResponseCookies,
} from "@latchkey/core/integration"
import { getNodeContext, type StartEvent } from "./event.ts"

/** Returns the cookies of the response to an event, which `set` also keeps out of caches. */
export function getResponseCookies(event: StartEvent): ResponseCookies {
  const headers = event.response?.headers
  // In SolidStart 1, the list of a response without cookies contains undefined.
  const getLines = () => headers?.getSetCookie().filter(Boolean) ?? []
  const canSet = () => headers !== undefined && !getNodeContext(event)?.res?.headersSent
  return {
    getLines,
    canSet,
    set(cookies) {
      if (!headers || !canSet()) {
        throw new TypeError(
          "The response has been sent and can set no cookies: call this in an action.",
        )
      }
      if (cookies.length === 0) return
      addSetCookieLines(headers, cookies.map(serializeCookie))
      keepOutOfCaches(headers)
    },
  }
}
