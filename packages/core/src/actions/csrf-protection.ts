/** Verifies that this site made a form, and issues the CSRF tokens for it. */
import { timingSafeEqual } from "../crypto/random.ts"
import { MissingCSRF } from "../errors.ts"
import { type ActionRequest, readTextField } from "../http/action-request.ts"
import { isCrossSite, isCsrfCookieShaped, isSameOrigin } from "../http/csrf.ts"
import type { CallerKind, Services } from "./services.ts"

/** `session`: the token was issued for this session, and authorizes what its user does. `any-session`: for any. */
export type CsrfScope = "session" | "any-session"

/**
 * Returns the token for the forms of a response, and sets its cookie if the browser has no valid one. Returns
 * undefined with `skipCSRFCheck`.
 */
export async function ensureCsrfToken(
  request: ActionRequest,
  services: Services,
  scope: CsrfScope,
): Promise<string | undefined> {
  const { config, csrf, sessions } = services
  const { requestCache, jar, cookieDefinitions } = request
  if (config.skipCSRFCheck) return undefined
  // All forms of a response share one token.
  if (requestCache.csrfToken !== undefined) return requestCache.csrfToken
  const existingToken = await findValidToken(request, services, scope)
  if (existingToken !== undefined) return existingToken
  const { token, cookie } = await csrf.createToken(await sessions.getSessionBinding(request))
  jar.set(cookieDefinitions.csrfToken, cookie)
  requestCache.csrfToken = token
  return token
}

/**
 * Whether the browser needs a CSRF cookie. Validity is only checked where a form is rendered or sent, because that
 * requires a session check.
 */
export function needsCsrfCookie({ cookies, cookieDefinitions }: ActionRequest): boolean {
  return !isCsrfCookieShaped(cookies.getRaw(cookieDefinitions.csrfToken.name))
}

async function findValidToken(
  request: ActionRequest,
  { csrf, sessions }: Services,
  scope: CsrfScope,
): Promise<string | undefined> {
  const cookie = request.cookies.get(request.cookieDefinitions.csrfToken.name)
  const token = await csrf.readToken(cookie)
  if (token === undefined || scope === "any-session") return token
  const binding = await sessions.getSessionBinding(request)
  // Without a session there is nothing to protect, so a form that was open during the sign-out stays valid.
  return binding === "" || (await csrf.isBoundToSession(cookie, binding)) ? token : undefined
}

/**
 * Verifies that a page of this origin sent the request. Needs a token only if the browser does not tell. For requests
 * of the library's own scripts, which ask the user first.
 *
 * @throws MissingCSRF
 */
export async function verifySameOrigin(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
): Promise<void> {
  if (isSameOrigin(request.headers, request.origin)) return
  await verifyCsrfToken(request, services, caller, "any-session")
}

/**
 * Verifies that this site made the request.
 *
 * @throws MissingCSRF
 */
export async function verifyCsrfToken(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
  scope: CsrfScope,
): Promise<void> {
  const { headers, origin, cookies, cookieDefinitions } = request
  if (caller.kind === "application" || services.config.skipCSRFCheck) return
  if (isCrossSite(headers, origin)) {
    const site = headers.get("sec-fetch-site")
    throw new MissingCSRF({
      expected: `a request from ${origin}`,
      received: site
        ? `a request that the browser calls ${site}`
        : `a request from ${headers.get("origin")}`,
      hint: "Behind a proxy, requests must arrive with the host and scheme that the browser sees.",
    })
  }
  if (services.trustSameOrigin && isSameOrigin(headers, origin)) return
  const sentToken = readTextField(request.body, "csrfToken") ?? ""
  const token = await findValidToken(request, services, scope)
  if (token !== undefined && timingSafeEqual(token, sentToken)) return
  const hasCookie = cookies.get(cookieDefinitions.csrfToken.name) !== undefined
  throw new MissingCSRF({
    expected: "`csrfToken` in the body to be the token of this browser",
    received: `${hasCookie ? "a" : "no"} cookie with a token, and ${sentToken === "" ? "no" : "another"} token in the body`,
    hint: "The page was open for a long time, or was loaded before someone signed in or out.",
  })
}
