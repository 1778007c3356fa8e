/**
 * CSRF protection by a signed double-submit cookie that is bound to the session, and `GET csrf`, which returns its
 * token.
 */
import { randomHex, timingSafeEqual } from "../crypto/random.ts"
import { MissingCSRF } from "../errors.ts"
import { jsonOutcome } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { isCrossSite, isSameOrigin } from "../http/cross-origin.ts"
import { readTextField } from "../http/request-body.ts"
import type { Action, ActionContext } from "./action-context.ts"

/** `session`: the token was issued for this session, and authorizes what its user does. `any-session`: for any. */
export type CsrfScope = "session" | "any-session"

/** The token, a hash of it, and a hash of it together with the session that it was created for. */
const cookiePattern = /^([0-9a-f]{64})\|([0-9a-f]{32})([0-9a-f]{32})$/

/** `GET csrf`: returns the token for the application's own forms. */
export const csrfAction: Action = async (context) => {
  const csrfToken = await ensureCsrfToken(context, "session")
  if (csrfToken !== undefined) return jsonOutcome({ csrfToken })
  const { jar, cookieDefinitions } = context.request
  context.logger.warn("csrf-disabled")
  jar.delete(cookieDefinitions.csrfToken)
  return { kind: "empty", status: 404 }
}

/**
 * Returns the token for the forms of a response, and sets its cookie if the browser has no valid one. Returns
 * undefined with `skipCSRFCheck`.
 */
export async function ensureCsrfToken(
  context: ActionContext,
  scope: CsrfScope,
): Promise<string | undefined> {
  const { config, hasher, request, sessions } = context
  if (config.skipCSRFCheck) return undefined
  const existingToken = request.csrfToken ?? (await findValidToken(context, scope))
  if (existingToken !== undefined) return existingToken
  const token = randomHex()
  const sessionBinding = await sessions.getSessionBinding(request)
  const hash = await hasher.hash("csrf", token)
  // Without a session there is nothing to bind the token to: the second half matches no session.
  const boundHash =
    sessionBinding === ""
      ? hash.slice(32)
      : truncateHash(await hasher.hash("csrf", bindToken(token, sessionBinding)))
  request.jar.set(request.cookieDefinitions.csrfToken, `${token}|${truncateHash(hash)}${boundHash}`)
  request.csrfToken = token
  return token
}

const truncateHash = (hash: string): string => hash.slice(0, 32)
const bindToken = (token: string, sessionBinding: string): string => `${token} ${sessionBinding}`

/**
 * Whether the browser needs a CSRF cookie. Validity is only checked where a form is rendered or sent, because that
 * requires a session check.
 */
export function needsCsrfCookie({ cookies, cookieDefinitions }: ActionRequest): boolean {
  const cookie = cookies.getRaw(cookieDefinitions.csrfToken.name) ?? ""
  const separator = cookie.slice(64, -64)
  return separator !== "|" && separator.toLowerCase() !== "%7c"
}

async function findValidToken(
  { hasher, request, sessions }: ActionContext,
  scope: CsrfScope,
): Promise<string | undefined> {
  const cookie = request.cookies.get(request.cookieDefinitions.csrfToken.name)
  const [, token, tokenHash, boundHash] = cookiePattern.exec(cookie ?? "") ?? []
  if (!token || !tokenHash || !boundHash) return undefined
  const matches = async (text: string, expectedHash: string): Promise<boolean> => {
    const validHashes = await hasher.hashWithEachSecret("csrf", text)
    return validHashes.some((each) => timingSafeEqual(truncateHash(each), expectedHash))
  }
  if (!(await matches(token, tokenHash))) {
    // Auth.js does not bind tokens to sessions. Accepting its cookies keeps open pages working after a migration.
    const authjsHashes = await hasher.hashLikeAuthjs(token)
    if (!authjsHashes.some((each) => timingSafeEqual(each, tokenHash + boundHash))) return undefined
  }
  if (scope === "any-session") return token
  const sessionBinding = await sessions.getSessionBinding(request)
  // Without a session there is nothing to protect, so a form that was open during the sign-out stays valid.
  const isValid =
    sessionBinding === "" || (await matches(bindToken(token, sessionBinding), boundHash))
  return isValid ? token : undefined
}

/**
 * Verifies that this site, or a page of a trusted origin, made the request.
 *
 * @throws MissingCSRF
 */
export async function verifyCsrfToken(context: ActionContext, scope: CsrfScope): Promise<void> {
  const { caller, config, request, trustSameOrigin } = context
  const { headers, origin, cookies, cookieDefinitions } = request
  if (caller === "application" || config.skipCSRFCheck) return
  if (isCrossSite(headers, origin, config.trustedOrigins)) {
    const site = headers.get("sec-fetch-site")
    throw new MissingCSRF({
      expected: `a request from ${origin}`,
      received: `a request ${site ? `that the browser calls ${site}` : `from ${headers.get("origin")}`}`,
      hint:
        "Behind a proxy with TLS, set AUTH_URL=https://…, or let your framework trust the proxy (`trust proxy` in Express). " +
        "List the origin of a separate front end in `trustedOrigins`.",
    })
  }
  if (trustSameOrigin && isSameOrigin(headers, origin)) return
  const sentToken = readTextField(request.body, "csrfToken") ?? ""
  const token = await findValidToken(context, scope)
  if (token !== undefined && timingSafeEqual(token, sentToken)) return
  const hasCookie = cookies.get(cookieDefinitions.csrfToken.name) !== undefined
  const staleHint = hasCookie
    ? "The page was open for a long time, or was loaded before someone signed in or out."
    : "The browser blocks cookies, the page is not at https, or a server kept the cookie."
  throw new MissingCSRF({
    expected: "`csrfToken` in the body to be the token of this browser",
    received: `${hasCookie ? "a" : "no"} cookie with a token, and ${sentToken === "" ? "no" : "another"} token in the body`,
    hint:
      sentToken === ""
        ? `Add the field \`csrfToken\` to your form, with the token of GET ${config.basePath}/csrf, or call \`signIn()\` or \`signOut()\` of the client, which send it.`
        : staleHint,
  })
}
