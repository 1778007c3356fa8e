/** Guards: who may pass, and where all others go. */
import type { Engine } from "../engine.ts"
import type { PlainResponse } from "../http/action-outcome.ts"
import type { HeaderReader } from "../http/incoming-request.ts"
import { getAuthenticationAge, getFactorAge, isRecent } from "../sessions/session-facts.ts"
import type { Session } from "../types.ts"
import { getRedirectLocation } from "./request-url.ts"

const unknownTimeMessage =
  "Expected sessions that know when their users authenticated. Set `session.absoluteTimeout`, `session.rememberMe` or " +
  "`session.records`: without one of them, sessions in a database do not store the time."

/** Options of the guard. */
export interface FreshSessionOptions {
  /** How long ago the user may have authenticated, in seconds. @defaultValue 600 */
  readonly maxAge?: number | undefined
  /**
   * With 2, what counts is when the user last proved a second factor. All others are asked for theirs in their session, and
   * users who have none add one. Needs the option `secondFactor`. @defaultValue 1
   */
  readonly level?: 1 | 2 | undefined
}

/** The guarded request. */
export interface GuardedRequest {
  readonly method: string
  readonly headers: HeaderReader
  /** The URL of the page, with the origin that the browser sees. */
  readonly url: URL
  /** Whether the person is on another page, whose script sends the request. By default, if the method is not GET. */
  readonly isFromPage?: boolean | undefined
  /** The path of the first page of the application. @defaultValue `"/"` */
  readonly startPage?: string | undefined
}

/**
 * Returns where to send the person before the request may go on: to the sign-in page, and back. Undefined if the session
 * is fresh.
 *
 * @throws TypeError for a `maxAge` or a configuration with which nobody could ever pass
 */
export async function findSignInUrl(
  engine: Pick<Engine, "getSignInPage" | "getStepUpPage" | "knowsSessionTimes">,
  session: Session | null,
  request: GuardedRequest,
  { maxAge = 600, level = 1 }: FreshSessionOptions = {},
): Promise<string | undefined> {
  if (!(maxAge >= 1)) throw new TypeError("`maxAge` must be a number of seconds, at least 1")
  if (level === 2) return findStepUpUrl(engine, session, request, maxAge)
  const { getSignInPage, knowsSessionTimes } = engine
  const age = getAuthenticationAge(session)
  if (isRecent(age, maxAge)) return undefined
  // Nobody could ever pass, however often they sign in.
  if (session && Number.isNaN(age) && !knowsSessionTimes) throw new TypeError(unknownTimeMessage)
  return createSignInUrl({ getSignInPage }, request, { prompt: "login" })
}

/** As {@link findSignInUrl}, for sessions whose users have proven a second factor. */
function findStepUpUrl(
  { getSignInPage, getStepUpPage }: Pick<Engine, "getSignInPage" | "getStepUpPage">,
  session: Session | null,
  request: GuardedRequest,
  maxAge: number,
): string | undefined {
  const page = getStepUpPage(request.url.origin)
  if (page === undefined) throw new TypeError("`level: 2` needs the option `secondFactor`")
  if (isRecent(getFactorAge(session), maxAge)) return undefined
  return createSignInUrl({ getSignInPage: session ? () => page : getSignInPage }, request)
}

/** Returns the URL of the sign-in page, which leads back to where the person was. */
export function createSignInUrl(
  { getSignInPage }: Pick<Engine, "getSignInPage">,
  request: GuardedRequest,
  params: Readonly<Record<string, string>> = {},
): string {
  const { origin } = request.url
  const url = new URL(getSignInPage(origin), origin)
  const allParams = { ...params, callbackUrl: findReturnPath(request) }
  for (const [name, value] of Object.entries(allParams)) url.searchParams.set(name, value)
  return getRedirectLocation(url, origin)
}

/**
 * Creates the response to a request that a guard refused: a redirect to the sign-in page, or, for requests that do not
 * accept HTML, such as those of scripts, its URL as JSON, with status 401 if nobody is signed in and otherwise 403. If a
 * second factor is missing, it says so as RFC 9470 section 3 does, with status 401.
 *
 * @param error names the reason
 */
export function createGuardResponse(
  headers: HeaderReader,
  session: Session | null,
  signInUrl: string,
  error: "SessionNotFresh" | "SessionRequired",
  { level, maxAge = 600 }: FreshSessionOptions = {},
): PlainResponse {
  const uncached = { "cache-control": "private, no-store" }
  const setCookieLines: readonly string[] = []
  if (/\btext\/html\b/i.test(headers.get("accept") ?? ""))
    return { status: 303, headers: uncached, location: signInUrl, body: null, setCookieLines }
  const body = JSON.stringify({ error, url: signInUrl })
  const json = { ...uncached, "content-type": "application/json; charset=utf-8" }
  if (!session || level !== 2)
    return { status: session ? 403 : 401, headers: json, body, setCookieLines }
  const limit = Number.isFinite(maxAge) ? `, max_age="${maxAge}"` : ""
  const challenge = `Bearer error="insufficient_user_authentication", acr_values="2"${limit}`
  return { status: 401, headers: { ...json, "www-authenticate": challenge }, body, setCookieLines }
}

/** Returns where the person was. Nobody can return to a form that was sent, so that is the page with the form. */
function findReturnPath({
  method,
  headers,
  url,
  isFromPage = method !== "GET" && method !== "HEAD",
  startPage = "/",
}: GuardedRequest): string {
  if (!isFromPage) return getRedirectLocation(url, url.origin)
  const referer = headers.get("referer") ?? ""
  const page = URL.canParse(referer) ? new URL(referer) : undefined
  return page?.origin === url.origin ? getRedirectLocation(page, url.origin) : startPage
}
