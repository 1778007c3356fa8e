/** Calls `getUserInfo` of a passkey provider, and creates the arguments that its functions receive. */
import { InvalidEmail } from "../../errors.ts"
import { toHeadersInit } from "../../http/incoming-request.ts"
import type { WebAuthnContext, WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import { normalizeEmailAddress } from "../email/email-address.ts"
import type { WebAuthnFlowContext } from "./webauthn-context.ts"

/** Parameters that the library reads itself: they are not fields of the form. */
const reservedFields = new Set("action callbackUrl csrfToken data link __proto__".split(" "))

/** Maximum length of a field in characters. */
const maxFieldLength = 512

/** Creates the arguments: the fields of the form, and the request without its body, which has been read. */
export function createHookArguments({
  request,
  provider,
}: WebAuthnFlowContext): [context: WebAuthnContext, request: Request] {
  const { method, query, body, url, headers } = request
  // A request for options carries the fields in its query.
  const entries = method === "GET" ? [...query] : Object.entries(body)
  const fields: Record<string, string> = {}
  for (const [name, value] of entries) {
    if (typeof value !== "string" || value === "" || value.length > maxFieldLength) continue
    if (!reservedFields.has(name)) fields[name] = value
  }
  const webRequest = new Request(url, { headers: toHeadersInit(headers) })
  return [{ url, provider: provider.definition, fields }, webRequest]
}

/** Returns the user whom a form describes; null when it describes none. */
export async function resolveUserInfo(context: WebAuthnFlowContext): Promise<WebAuthnUserInfo> {
  const { getUserInfo } = context.provider
  const [hookContext, webRequest] = createHookArguments(context)
  if (getUserInfo) return getUserInfo(hookContext, webRequest)
  const { email, name = null } = hookContext.fields
  if (email === undefined) return name === null ? null : { exists: false, user: { name } }
  try {
    // The address names the passkey on the device. Whether a user has it is only looked up once a passkey proves
    // something.
    return { exists: false, user: { email: normalizeEmailAddress(email), name } }
  } catch (error) {
    if (error instanceof InvalidEmail) return null
    throw error
  }
}
