/** Who a form says that somebody is. */
import { InvalidEmail } from "../../errors.ts"
import type { Exchange } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import { normalizeAddress } from "../email-address.ts"
import { contextOf, fieldsOf, plainRequest } from "./context.ts"

export async function userInfoOf(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
): Promise<WebAuthnUserInfo> {
  const { getUserInfo } = provider
  if (getUserInfo) return getUserInfo(contextOf(exchange, provider), plainRequest(exchange))
  const { email, name = null } = fieldsOf(exchange)
  if (email === undefined) return null
  try {
    // Whether anybody has the address is found out when a passkey proves something, and not before.
    return { exists: false, user: { email: normalizeAddress(email), name } }
  } catch (error) {
    if (error instanceof InvalidEmail) return null
    throw error
  }
}
