import { createDeletion, serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { replaceCookies } from "./set-cookie.ts"

/** The cookies of one response, wherever the framework keeps them. */
export interface ResponseCookies {
  /** Returns the `Set-Cookie` lines so far. */
  getLines(): readonly string[]
  /**
   * Adds cookies: see {@link replaceCookies}.
   *
   * @throws when the response has been sent
   */
  set(cookies: readonly Cookie[]): void
}

/**
 * Collects the library's cookies for a framework that sets cookies one by one.
 *
 * @param writeCookie passes a cookie to the framework, which replaces an earlier one of the same name
 */
export function createResponseCookies(writeCookie: (cookie: Cookie) => void): ResponseCookies {
  let written: readonly Cookie[] = []
  return {
    getLines: () => written.map(serializeCookie),
    set(cookies) {
      const all = replaceCookies(written, cookies, ({ name }) => name, createDeletion)
      for (const cookie of all) if (!written.includes(cookie)) writeCookie(cookie)
      written = all
    },
  }
}
