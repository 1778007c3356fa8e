/** Whether a form was made by this site, for this session. */
import { timingSafeEqual } from "../crypto/random.ts"
import { MissingCSRF } from "../errors.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { readTextField } from "../http/action-request.ts"
import { isCrossSite, isCsrfCookieShaped, isSameOrigin } from "../http/csrf.ts"
import type { CallerKind, Services } from "./services.ts"

/** `session`: acts as the person who is signed in; `any-session`: only proves that this site made the form. */
export type CsrfScope = "session" | "any-session"

/**
 * The token for the forms of an answer; its cookie is set when the browser has none that is good enough.
 * Undefined when the check is left to a framework.
 */
export async function ensureCsrfToken(
  request: ActionRequest,
  services: Services,
  scope: CsrfScope,
): Promise<string | undefined> {
  const { config, csrf, sessions } = services
  if (config.skipCSRFCheck) return undefined
  // An answer has one token, in however many forms.
  const { requestCache } = request
  if (requestCache.csrfToken !== undefined) return requestCache.csrfToken
  const existingToken = await findValidToken(request, services, scope)
  if (existingToken !== undefined) return existingToken
  const pair = await csrf.createToken(await sessions.getSessionBinding(request))
  request.jar.set(request.cookieDefinitions.csrfToken, pair.cookie)
  requestCache.csrfToken = pair.token
  return pair.token
}

/**
 * Whether a browser is to be left with a pair for forms to come. Whether the one that it has is still good is found out
 * where a form is made or sent: a session check would take half as long again for it.
 */
export function needsCsrfCookie({ cookies, cookieDefinitions }: ActionRequest): boolean {
  return !isCsrfCookieShaped(cookies.getRaw(cookieDefinitions.csrfToken.name))
}

/** The token of the pair that the browser has, when it is good enough. */
async function findValidToken(
  request: ActionRequest,
  { csrf, sessions }: Services,
  scope: CsrfScope,
): Promise<string | undefined> {
  const cookie = request.cookies.get(request.cookieDefinitions.csrfToken.name)
  const token = await csrf.readToken(cookie)
  if (token === undefined || scope === "any-session") return token
  const binding = await sessions.getSessionBinding(request)
  // Nobody can act as nobody: a form that was open while somebody signed out does no harm.
  return binding === "" || (await csrf.isBoundToSession(cookie, binding)) ? token : undefined
}

/**
 * Refuses a request that no page of this site made: the browser's word for it is enough, and where it says nothing,
 * the token has to be there. For what a script of ours posts, which asks the person before.
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
 * Refuses a request that this site did not make.
 *
 * @throws MissingCSRF
 */
export async function verifyCsrfToken(
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
  scope: CsrfScope,
): Promise<void> {
  if (caller.kind === "application" || services.config.skipCSRFCheck) return
  if (isCrossSite(request.headers, request.origin)) {
    throw new MissingCSRF({
      expected: `a request from ${request.origin}`,
      received: describeSender(request.headers),
      hint: "Behind a proxy, the host and scheme of a request have to be those that the browser sees.",
    })
  }
  if (services.trustSameOrigin && isSameOrigin(request.headers, request.origin)) return
  const sentToken = readTextField(request.body, "csrfToken") ?? ""
  const token = await findValidToken(request, services, scope)
  if (token === undefined || !timingSafeEqual(token, sentToken)) {
    throw new MissingCSRF({
      expected: "`csrfToken` in the body to be the token of this browser",
      received: describeTokens(request, sentToken),
      hint: "The page was open for long, or was loaded before somebody signed in or out here.",
    })
  }
}

function describeSender(headers: Headers): string {
  const site = headers.get("sec-fetch-site")
  return site === null
    ? `a request from ${headers.get("origin")}`
    : `a request that the browser calls ${site}`
}

function describeTokens({ cookies, cookieDefinitions }: ActionRequest, sentToken: string): string {
  const cookie =
    cookies.get(cookieDefinitions.csrfToken.name) === undefined ? "no cookie" : "a cookie"
  return `${cookie} with a token, and ${sentToken === "" ? "no token" : "another token"} in the body`
}
