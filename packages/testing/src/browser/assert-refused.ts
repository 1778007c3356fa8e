import assert from "node:assert/strict"

/** Options of `assertRefused`. */
export interface AssertRefusedOptions {
  /**
   * The application's origin.
   * @defaultValue "https://app.example"
   */
  origin?: string
  /** Names of cookies that may be set anyway, such as the CSRF cookie of a first visit. */
  allowedCookies?: RegExp
}

/** The cookie with the name that the visitor typed: the sign-in page shows it again. */
const failureCookie = /^(?:__Host-)?latchkey\.sign-in-failure$/

/**
 * Asserts that a response refuses a request: it is a redirect within the origin that names an error, or has a 4xx
 * status, and it sets no cookies except deletions, and what the sign-in page shows again.
 */
export function assertRefused(response: Response, options: AssertRefusedOptions = {}): void {
  const { origin = "https://app.example", allowedCookies } = options
  const cookieNames = getSetCookieNames(response).filter(
    (name) => !failureCookie.test(name) && !allowedCookies?.test(name),
  )
  assert.deepEqual(cookieNames, [], "a refusal sets no cookies")
  if (response.status >= 400 && response.status < 500) return
  assert.ok(
    [302, 303].includes(response.status),
    `a refusal has a redirect or a 4xx status, not ${response.status}`,
  )
  const location = response.headers.get("location")
  assert.ok(location !== null, "a redirect has a location")
  const url = new URL(location, origin)
  assert.equal(url.origin, origin, "a refusal redirects within the application")
  assert.ok(url.searchParams.has("error"), `a refusal names an error: ${url.href}`)
}

/** Returns the names of the cookies that a response sets, without deletions. */
export function getSetCookieNames(response: Response): string[] {
  const lines = response.headers.getSetCookie().filter((line) => !isDeletion(line))
  return lines.map((line) => line.slice(0, line.indexOf("=")))
}

/** Returns the `error` parameter of a response's redirect; null if there is none. */
export function getRedirectError(response: Response): string | null {
  const location = response.headers.get("location")
  return location === null
    ? null
    : new URL(location, "https://app.example").searchParams.get("error")
}

function isDeletion(line: string): boolean {
  const expires = /; *expires=([^;]+)/i.exec(line)?.[1]
  return /; *max-age=(?:0|-\d+)(?:;|$)/i.test(line) || Date.parse(expires ?? "") <= Date.now()
}
