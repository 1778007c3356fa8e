/** The guard of pages for users who have authenticated recently, and where it sends all others. */
import type { Engine } from "../engine.ts"
import type { HeaderReader } from "../http/incoming-request.ts"
import { getAuthenticationAge, isRecent } from "../sessions/session-facts.ts"
import type { Session } from "../types.ts"
import { getRedirectLocation } from "./redirect-location.ts"

const unknownTimeMessage =
  "Expected sessions that know when their users authenticated. Set `session.absoluteTimeout`, `session.rememberMe` or " +
  "`session.records`: without one of them, sessions in a database do not store the time."

/** Options of the guard. */
export interface FreshSessionOptions {
  /** How long ago the user may have authenticated, in seconds. @defaultValue 600 */
  readonly maxAge?: number | undefined
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
  { getSignInPage, knowsSessionTimes }: Pick<Engine, "getSignInPage" | "knowsSessionTimes">,
  session: Session | null,
  request: GuardedRequest,
  { maxAge = 600 }: FreshSessionOptions = {},
): Promise<string | undefined> {
  if (!(maxAge >= 1)) throw new TypeError("`maxAge` must be a number of seconds, at least 1")
  const age = getAuthenticationAge(session)
  if (isRecent(age, maxAge)) return undefined
  // Nobody could ever pass, however often they sign in.
  if (session && Number.isNaN(age) && !knowsSessionTimes) throw new TypeError(unknownTimeMessage)
  const { origin } = request.url
  const url = new URL(getSignInPage(origin), origin)
  url.searchParams.set("prompt", "login")
  url.searchParams.set("callbackUrl", findReturnPath(request))
  return getRedirectLocation(url, origin)
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
