/** The library's cookies on the way to the browser, in a framework that writes each of them by its name. */
import { serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { applySetCookies } from "./cookie-header.ts"
import { removeChunkSuffix } from "./set-cookie.ts"

/** The cookies of one answer. */
export interface ResponseCookies {
  /**
   * Adds cookies. One that is set twice is sent once; what was set before of parts of it (`name.0`, `name.1`) is
   * deleted: a session that was refreshed on the way must not outlive its end.
   *
   * @throws what the framework throws when the answer is on its way already
   */
  set(cookies: readonly Cookie[]): void
  /** The `Cookie` header that the browser would send with them: see {@link applySetCookies}. */
  toCookieHeader(): string
  /** Whether there are any. */
  readonly hasCookies: boolean
}

/**
 * Creates what sets the library's cookies for a request.
 *
 * @param cookieHeader the `Cookie` header of the request
 * @param writeCookie gives one to the framework, in place of an earlier one of the same name
 */
export function createResponseCookies(
  cookieHeader: string | null,
  writeCookie: (cookie: Cookie) => void,
): ResponseCookies {
  const written = new Map<string, Cookie>()
  return {
    get hasCookies() {
      return written.size > 0
    },
    toCookieHeader: () => applySetCookies(cookieHeader, [...written.values()].map(serializeCookie)),
    set(cookies) {
      const names = new Set(cookies.map(({ name }) => name))
      const baseNames = new Set(cookies.map(({ name }) => removeChunkSuffix(name)))
      const outdatedChunks = [...written.values()].filter(
        (cookie) => baseNames.has(removeChunkSuffix(cookie.name)) && !names.has(cookie.name),
      )
      for (const cookie of [...outdatedChunks.map(toDeletion), ...cookies]) {
        writeCookie(cookie)
        written.set(cookie.name, cookie)
      }
    },
  }
}

function toDeletion({ name, options: { expires: _, ...options } }: Cookie): Cookie {
  return { name, value: "", options: { ...options, maxAge: 0 } }
}
