/** Who a form says that somebody is. */
import { InvalidEmail } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import { normalizeEmailAddress } from "../email-address.ts"
import { createBodilessRequest, createWebAuthnContext, readFormFields } from "./hook-arguments.ts"

export async function resolveUserInfo(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
): Promise<WebAuthnUserInfo> {
  const { getUserInfo } = provider
  if (getUserInfo)
    return getUserInfo(createWebAuthnContext(request, provider), createBodilessRequest(request))
  const { email, name = null } = readFormFields(request)
  if (email === undefined) return null
  try {
    // Whether anybody has the address is found out when a passkey proves something, and not before.
    return { exists: false, user: { email: normalizeEmailAddress(email), name } }
  } catch (error) {
    if (error instanceof InvalidEmail) return null
    throw error
  }
}
