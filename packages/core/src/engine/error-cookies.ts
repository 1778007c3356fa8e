import type { Cookie } from "../types.ts"

/** Not a property of the errors, because frameworks and loggers pass those on. */
const cookiesOfErrors = new WeakMap<object, readonly Cookie[]>()

/**
 * Returns the cookies to set on the error response when `getSession` has thrown. If the `session` callback fails after the
 * `jwt` callback changed the token, for example stored a new refresh token, these cookies may be the only copy of the
 * change.
 */
export function getErrorCookies(error: unknown): readonly Cookie[] {
  return cookiesOfErrors.get(Object(error)) ?? []
}

export function setErrorCookies(error: object, cookies: readonly Cookie[]): void {
  if (cookies.length > 0) cookiesOfErrors.set(error, cookies)
}
