/**
 * Responses that the provider posts (OAuth 2.0 Form Post Response Mode). Browsers send no `Lax` cookies with a form
 * that is posted across sites, so a sealed cookie carries the response to a GET request, with which they send the
 * session.
 */
import { InvalidCheck } from "../../errors.ts"
import { createHostCookie } from "../../http/cookies.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import type { OAuthContext } from "./oauth-context.ts"
import { publicParameters } from "./report-steps.ts"
import { findOAuthTransaction, hasOAuthTransaction } from "./transaction.ts"

/** How long the browser may take to follow the redirect, in seconds. */
const maxAge = 60
/** Maximum length of the encoded parameters: their sealed form has to fit into one cookie (RFC 6265bis section 6.1). */
const maxLength = 2600

/**
 * Saves a posted response and returns the URL that reads it. Saves nothing if the response belongs to no sign-in of
 * this browser, so that other sites cannot make it store more and more cookies. That URL then finds nothing.
 *
 * @throws InvalidCheck for a response that is too long
 */
export async function saveFormResponse(context: OAuthContext): Promise<string> {
  const { request, provider } = context
  const state = (request.form.get("state") ?? "").slice(0, maxLength)
  const url = `${request.actionsUrl}/callback/${provider.id}?${new URLSearchParams({ state })}`
  if (!(await hasOAuthTransaction(context, state))) return url
  const parameters = request.form.toString()
  if (parameters.length > maxLength) {
    const expected = `a response of at most ${maxLength} characters`
    throw new InvalidCheck({ provider: provider.id, expected, received: `${parameters.length}` })
  }
  await getFormCookies(context).save(state, { parameters }, maxAge)
  return url
}

/**
 * Returns the response that was saved, once.
 *
 * @throws InvalidCheck when this browser has none with the state in the query
 */
export async function consumeFormResponse(context: OAuthContext): Promise<URLSearchParams> {
  const { request, provider } = context
  const state = request.query.get("state") ?? ""
  const saved = await getFormCookies(context).consume(state)
  if (!saved) {
    await findOAuthTransaction(context, state, "read") // says more, if there is no pending sign-in
    const expected = `the provider's response by POST, at most ${maxAge} s ago`
    throw new InvalidCheck({ provider: provider.id, expected, isExpired: true })
  }
  const parameters = new URLSearchParams(String(saved["parameters"]))
  const secrets = [...parameters].filter(([name]) => !publicParameters.has(name))
  request.secrets.push(...secrets.map(([, value]) => value))
  return parameters
}

function getFormCookies(context: OAuthContext): TransactionCookies {
  const cookie = createHostCookie(context.request.cookieDefinitions, "latchkey.form-response")
  return new TransactionCookies(context, "form response", cookie)
}
