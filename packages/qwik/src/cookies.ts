/** Cookies of an answer that the framework writes. */
import { serializeCookie } from "@latchkey/core"
import { cookieHeaderAfter, unstored } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import type { AuthEvent } from "./event.ts"

const earlier = /*#__PURE__*/ new WeakMap<AuthEvent["sharedMap"], Map<string, Cookie>>()

/**
 * Adds cookies to the answer, and keeps it out of caches. Cookies of others stay. What was set before of the same cookie, or of parts of it
 * (`name.0`, `name.1`), goes: a session that was refreshed on the way must not outlive its end.
 */
export function setCookies(event: AuthEvent, cookies: readonly Cookie[]): void {
  const known = earlier.get(event.sharedMap) ?? new Map<string, Cookie>()
  earlier.set(event.sharedMap, known)
  const replaced = new Set(cookies.map(stemOf))
  const leftOver = [...known.values()].filter((cookie) => replaced.has(stemOf(cookie)))
  for (const cookie of [...leftOver.map(expired), ...cookies]) {
    known.set(cookie.name, cookie)
    write(event, cookie)
  }
  const { headers } = event
  if (cookies.length > 0) headers.set("cache-control", unstored(headers.get("cache-control")))
}

/** The headers of the request, with the cookies that the browser will have: see {@link cookieHeaderAfter}. */
export function currentHeaders({ request, sharedMap }: AuthEvent): Headers {
  const headers = new Headers(request.headers)
  const lines = [...(earlier.get(sharedMap)?.values() ?? [])].map(serializeCookie)
  headers.set("cookie", cookieHeaderAfter(headers.get("cookie"), lines))
  return headers
}

/**
 * Qwik's own options know fewer attributes than there are, and it does not encode. What it takes for the value may
 * have the attributes in it: it writes the cookies of a `Response` in this way, too.
 */
function write({ cookie: jar }: AuthEvent, cookie: Cookie): void {
  const line = serializeCookie(cookie)
  jar.set(cookie.name, line.slice(line.indexOf("=") + 1))
}

/** The name of the cookie that a cookie is, or is a part of. */
function stemOf({ name }: Cookie): string {
  return name.replace(/\.\d+$/, "")
}

function expired({ name, options: { expires: _, ...options } }: Cookie): Cookie {
  return { name, value: "", options: { ...options, maxAge: 0 } }
}
