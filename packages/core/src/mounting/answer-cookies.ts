/** The library's cookies on the way to the browser, in a framework that writes each of them by its name. */
import { serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { cookieHeaderAfter } from "./cookie-header.ts"
import { wholeName } from "./cookie-lines.ts"

/** The cookies of one answer. */
export interface AnswerCookies {
  /**
   * Adds cookies. One that is set twice is sent once; what was set before of parts of it (`name.0`, `name.1`) is
   * deleted: a session that was refreshed on the way must not outlive its end.
   *
   * @throws what the framework throws when the answer is on its way already
   */
  set(cookies: readonly Cookie[]): void
  /** The `Cookie` header that the browser would send with them: see {@link cookieHeaderAfter}. */
  header(): string
  /** Whether there are any. */
  readonly areSet: boolean
}

/**
 * Creates what sets the library's cookies for a request.
 *
 * @param given the `Cookie` header of the request
 * @param write gives one to the framework, in place of an earlier one of the same name
 */
export function createAnswerCookies(
  given: string | null,
  write: (cookie: Cookie) => void,
): AnswerCookies {
  const sent = new Map<string, Cookie>()
  return {
    get areSet() {
      return sent.size > 0
    },
    header: () => cookieHeaderAfter(given, [...sent.values()].map(serializeCookie)),
    set(cookies) {
      const names = new Set(cookies.map(({ name }) => name))
      const wholes = new Set(cookies.map(({ name }) => wholeName(name)))
      const outdated = [...sent.values()].filter(
        (cookie) => wholes.has(wholeName(cookie.name)) && !names.has(cookie.name),
      )
      for (const cookie of [...outdated.map(deleted), ...cookies]) {
        write(cookie)
        sent.set(cookie.name, cookie)
      }
    },
  }
}

function deleted({ name, options: { expires: _, ...options } }: Cookie): Cookie {
  return { name, value: "", options: { ...options, maxAge: 0 } }
}
