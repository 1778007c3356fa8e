import assert from "node:assert/strict"

/** What a refusal may bring along. */
export interface AssertRefusedOptions {
  /**
   * The application's own origin.
   * @defaultValue "https://app.example"
   */
  origin?: string
  /** Names of cookies that may be set all the same, such as the CSRF cookie of a first visit. */
  allowedCookies?: RegExp
}

/**
 * Asserts that an answer refuses, as the threat catalogue defines it: a redirect inside the own origin that names an
 * error, or a 4xx; and no cookie but deletions.
 */
export function assertRefused(response: Response, options: AssertRefusedOptions = {}): void {
  const { origin = "https://app.example", allowedCookies } = options
  const cookieNames = getSetCookieNames(response).filter((name) => !allowedCookies?.test(name))
  assert.deepEqual(cookieNames, [], "a refusal sets no cookies")
  if (response.status >= 400 && response.status < 500) return
  assert.ok([302, 303].includes(response.status), `a refusal is no ${response.status}`)
  const location = response.headers.get("location")
  assert.ok(location !== null, "a refusal that redirects says where to")
  const url = new URL(location, origin)
  assert.equal(url.origin, origin, "a refusal stays inside the application")
  assert.ok(url.searchParams.has("error"), `a refusal names an error: ${url.href}`)
}

/** Gives the names of the cookies that a response sets; deletions do not count. */
export function getSetCookieNames(response: Response): string[] {
  const lines = response.headers.getSetCookie().filter((line) => !isDeletion(line))
  return lines.map((line) => line.slice(0, line.indexOf("=")))
}

/** Gives the `error` that a response puts into the URL that it redirects to; null when there is none. */
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
