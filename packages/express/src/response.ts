/** From an answer of the library to that of Express. */
import type { ServerResponse } from "node:http"
import { mergeSetCookies, noStore, type PlainResponse } from "@latchkey/core/integration"
import onHeaders from "on-headers"

/** Sends an answer, unless something else answered in the meantime or the client is gone. */
export function sendResponse(
  { status, headers, setCookieLines, body }: PlainResponse,
  res: ServerResponse,
): void {
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  addSetCookieLines(res, setCookieLines)
  res.end(body ?? "")
}

/**
 * Adds `Set-Cookie` lines to those that others set, and keeps the answer out of caches, whatever the application writes
 * into `Cache-Control` afterwards.
 */
export function setCookies(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0) return
  addSetCookieLines(res, lines)
  if (noStoreResponses.has(res)) return
  noStoreResponses.add(res)
  onHeaders(res, () => {
    const cacheControl = [res.getHeader("cache-control") ?? []].flat().join(", ")
    res.setHeader("cache-control", noStore(cacheControl))
  })
}

const noStoreResponses = new WeakSet<ServerResponse>()

function addSetCookieLines(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length > 0) res.setHeader("set-cookie", mergeSetCookies(getSetCookieLines(res), lines))
}

/** The `Set-Cookie` lines of an answer so far. */
export function getSetCookieLines(res: ServerResponse | undefined): string[] {
  return [res?.getHeader("set-cookie") ?? []].flat().map(String)
}
