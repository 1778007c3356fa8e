/** From a `Response` to the answer of Express. */
import type { ServerResponse } from "node:http"

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

/**
 * Adds `Set-Cookie` lines. Cookies that others set stay; an earlier line for the same cookie, or for parts of it
 * (`name.0`, `name.1`), goes: a session that was refreshed on the way must not outlive its end.
 */
export function setCookies(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0) return
  const replaced = new Set(lines.map(cookieOf))
  const earlier = [res.getHeader("set-cookie") ?? []].flat().map(String)
  res.setHeader("set-cookie", [
    ...earlier.filter((line) => !replaced.has(cookieOf(line))),
    ...lines,
  ])
}

/** The name of the cookie that a line sets, or sets a part of. */
function cookieOf(line: string): string {
  return line.slice(0, line.indexOf("=")).replace(/\.\d+$/, "")
}
