/** Cookies of an answer that SvelteKit writes. */
import { serializeCookie } from "@latchkey/core"
import { cookieHeaderAfter } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import type { Cookies } from "@sveltejs/kit"

/** The library's cookies on the way to the browser. */
export interface AnswerCookies {
  /** Adds cookies to the answer. @throws Error when the answer is on its way already */
  set(cookies: readonly Cookie[]): void
  /** The `Cookie` header that the browser would send with them: see {@link cookieHeaderAfter}. */
  header(): string
  /** Whether there are any. */
  readonly areSet: boolean
}

/**
 * Creates what sets the library's cookies for a request. One that is set twice is sent once; earlier parts of it
 * (`name.0`, `name.1`) are deleted: a session that was refreshed on the way must not outlive its end.
 *
 * @param given the `Cookie` header of the request
 */
export function createAnswerCookies(jar: Cookies, given: string | null): AnswerCookies {
  const sent = new Map<string, Cookie>()
  return {
    get areSet() {
      return sent.size > 0
    },
    header: () => cookieHeaderAfter(given, [...sent.values()].map(serializeCookie)),
    set(cookies) {
      const names = new Set(cookies.map(({ name }) => name))
      const wholes = new Set(cookies.map(wholeOf))
      const outdated = [...sent.values()].filter(
        (cookie) => wholes.has(wholeOf(cookie)) && !names.has(cookie.name),
      )
      for (const cookie of [...outdated.map(deleted), ...cookies]) {
        set(jar, cookie)
        sent.set(cookie.name, cookie)
      }
    },
  }
}

/** The name of the cookie that a cookie is, or is a part of. */
function wholeOf({ name }: Cookie): string {
  return name.replace(/\.\d+$/, "")
}

function deleted({ name, options: { expires: _, ...options } }: Cookie): Cookie {
  return { name, value: "", options: { ...options, maxAge: 0 } }
}

/** Says everything in as many words: SvelteKit has defaults of its own, such as `Secure` on http://127.0.0.1. */
function set(jar: Cookies, { name, value, options }: Cookie): void {
  const { path = "/", secure = false, httpOnly = false, sameSite = false, ...rest } = options
  jar.set(name, value, {
    encode: encodeURIComponent,
    ...rest,
    path,
    secure,
    httpOnly,
    sameSite,
  })
}
