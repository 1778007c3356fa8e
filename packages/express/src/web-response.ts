/** From a `Response` to the answer of Express. */
import type { ServerResponse } from "node:http"
import { unstored, withCookieLines } from "@latchkey/core/mounting"

/** Sends a response, unless something else answered in the meantime or the client is gone. */
export async function send(response: Response, res: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  if (res.headersSent || res.destroyed) return
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") res.setHeader(name, value)
  }
  setCookies(res, response.headers.getSetCookie())
  res.end(body)
}

/** Adds `Set-Cookie` lines to those that others set, and keeps the answer out of caches. */
export function setCookies(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0) return
  res.setHeader("set-cookie", withCookieLines(cookieLines(res), lines))
  const written = [res.getHeader("cache-control") ?? []].flat().join(", ")
  res.setHeader("cache-control", unstored(written))
}

/** The `Set-Cookie` lines of an answer so far. */
export function cookieLines(res: ServerResponse | undefined): string[] {
  return [res?.getHeader("set-cookie") ?? []].flat().map(String)
}
