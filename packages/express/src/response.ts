/** Writes to the response of Express. */
import type { ServerResponse } from "node:http"
import { serializeCookie } from "@latchkey/core"
import {
  disableCaching,
  getNodeSetCookieLines,
  mergeSetCookies,
  type PlainResponse,
  type ResponseCookies,
} from "@latchkey/core/integration"
import onHeaders from "on-headers"

/** Sends a response, unless one has been sent or the client has disconnected. */
export function sendResponse(
  { status, headers, location, setCookieLines, body }: PlainResponse,
  res: ServerResponse,
): void {
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    // The application's response may depend on more headers.
    if (name === "vary") res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  if (location !== undefined) res.setHeader("location", location)
  addSetCookieLines(res, setCookieLines)
  res.end(body ?? "")
}

/** Returns the cookies of a response, which `set` also keeps out of caches. */
export function getResponseCookies(res: ServerResponse | undefined): ResponseCookies {
  return {
    getLines: () => (res ? getNodeSetCookieLines(res) : []),
    canSet: () => res !== undefined && !res.headersSent,
    set(cookies) {
      if (!res || res.headersSent) {
        throw new TypeError("The response is unknown or has been sent: it can set no more cookies.")
      }
      if (cookies.length === 0) return
      addSetCookieLines(res, cookies.map(serializeCookie))
      keepOutOfCaches(res)
    },
  }
}

const uncachedResponses = new WeakSet<ServerResponse>()

/** Takes effect when the headers are sent, so that a `Cache-Control` set later by the application does not win. */
function keepOutOfCaches(res: ServerResponse): void {
  if (uncachedResponses.has(res)) return
  uncachedResponses.add(res)
  onHeaders(res, () => {
    const getHeader = (name: string) => [res.getHeader(name) ?? []].flat().join(", ")
    disableCaching(res.getHeaderNames(), getHeader, (name, value) => res.setHeader(name, value))
  })
}

function addSetCookieLines(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0) return
  res.setHeader("set-cookie", mergeSetCookies(getNodeSetCookieLines(res), lines))
}
