/** Challenges: sealed in a cookie of the browser that requested them, and valid for one response. */
import type { AdapterStore } from "../../config/adapter-store.ts"
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { User } from "../../types.ts"
import type { LinkRequest } from "../flow-result.ts"
import {
  consumeTransaction,
  saveTransaction,
  type TransactionCookies,
} from "../transaction-cookies.ts"
import { consumeVerificationToken } from "../verification-token.ts"
import type { WebAuthnFlowContext } from "./webauthn-context.ts"

interface Ceremony {
  /** Id of the provider. */
  readonly provider: string
  /** Id of the relying party. */
  readonly rpId: string
}

export interface AuthenticationCeremony extends Ceremony {
  readonly kind: "authenticate"
  /** The user whose passkey is requested; null for any passkey. */
  readonly userId: string | null
}

export interface RegistrationCeremony extends Ceremony {
  readonly kind: "register"
  /** The user as the form describes them. */
  readonly user: User
  /** The user whose session requested another passkey; null for a new user. */
  readonly linkRequest: LinkRequest | null
}

export type PendingCeremony = AuthenticationCeremony | RegistrationCeremony

/** Remembers a ceremony for the response to its challenge. */
export async function saveCeremony(
  context: WebAuthnFlowContext,
  challenge: string,
  ceremony: PendingCeremony,
): Promise<void> {
  const token = await context.hasher.hash("passkey challenge", challenge)
  const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
  const identifier = getTokenIdentifier(ceremony)
  await getTokenStore(context)?.createVerificationToken({ identifier, token, expires })
  await saveTransaction(getCookies(context), challenge, ceremony)
}

/**
 * Returns the ceremony of a challenge, which cannot be used again even if the request fails. Returns undefined when
 * this browser did not request it, or it is too old, for another provider, or used.
 */
export async function consumeCeremony(
  context: WebAuthnFlowContext,
  challenge: string,
): Promise<PendingCeremony | undefined> {
  const payload = await consumeTransaction(getCookies(context), challenge)
  if (!payload) return undefined
  const ceremony = payload as unknown as PendingCeremony // sealed by `saveCeremony`
  const tokens = await context.hasher.hashWithEachSecret("passkey challenge", challenge)
  const store = getTokenStore(context)
  const identifier = getTokenIdentifier(ceremony)
  const storedToken = store && (await consumeVerificationToken(store, identifier, tokens))
  const isFirstUse = store
    ? Number(storedToken?.expires.getTime()) > Date.now()
    : context.usedChallenges.add(tokens)
  return isFirstUse && ceremony.provider === context.provider.id ? ceremony : undefined
}

function getTokenStore({ config, store }: WebAuthnFlowContext): AdapterStore | undefined {
  const { createVerificationToken, useVerificationToken } = config.adapter ?? {}
  return createVerificationToken && useVerificationToken ? store : undefined
}

function getCookies({ request, sealer }: WebAuthnFlowContext): TransactionCookies {
  const { webauthnChallenge: cookie } = request.cookieDefinitions
  return { context: request, sealer, purpose: "passkey challenge", cookie }
}

/** Stores challenges beside the tokens of e-mail links, under an identifier that is not an address. */
const getTokenIdentifier = ({ provider }: Ceremony): string => `passkey-challenge:${provider}`
