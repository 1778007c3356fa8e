/** From an answer of the library to that of Express. */
import type { ServerResponse } from "node:http"
import { type Answer, unstored, withCookieLines } from "@latchkey/core/mounting"
import onHeaders from "on-headers"

/** Sends an answer, unless something else answered in the meantime or the client is gone. */
export function send({ status, headers, cookies, body }: Answer, res: ServerResponse): void {
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  addLines(res, cookies)
  res.end(body ?? "")
}

/**
 * Adds `Set-Cookie` lines to those that others set, and keeps the answer out of caches, whatever the application writes
 * into `Cache-Control` afterwards.
 */
export function setCookies(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0) return
  addLines(res, lines)
  if (unstoredAnswers.has(res)) return
  unstoredAnswers.add(res)
  onHeaders(res, () => {
    const written = [res.getHeader("cache-control") ?? []].flat().join(", ")
    res.setHeader("cache-control", unstored(written))
  })
}

const unstoredAnswers = new WeakSet<ServerResponse>()

function addLines(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length > 0) res.setHeader("set-cookie", withCookieLines(cookieLines(res), lines))
}

/** The `Set-Cookie` lines of an answer so far. */
export function cookieLines(res: ServerResponse | undefined): string[] {
  return [res?.getHeader("set-cookie") ?? []].flat().map(String)
}
