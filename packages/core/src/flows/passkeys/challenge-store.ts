/** Challenges: sealed in a cookie of the browser that requested them, and valid for one response. */
import { pendingSignInMaxAge } from "../../config/defaults.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import type { User } from "../../types.ts"
import type { LinkRequest } from "../flow.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import { createVerificationError, type WebAuthnFlowContext } from "./webauthn-context.ts"

export interface AuthenticationCeremony {
  readonly kind: "authenticate"
  /** Id of the relying party. */
  readonly rpId: string
  /** The user whose passkey is requested; null for any passkey. */
  readonly userId: string | null
}

export interface RegistrationCeremony extends Pick<AuthenticationCeremony, "rpId"> {
  readonly kind: "register"
  /** The user as the form describes them, with the id of the signed-in user or a new one. */
  readonly user: User & { readonly id: string }
  /** The user whose session requested another passkey; null for a new user. */
  readonly linkRequest: LinkRequest | null
  /** Whether the browser may create it without asking, because the user has just signed in with a saved password. */
  readonly isAutomatic?: boolean
}

export type PendingCeremony = AuthenticationCeremony | RegistrationCeremony

/** Remembers a ceremony for the response to its challenge. */
export function saveCeremony(
  context: WebAuthnFlowContext,
  challenge: string,
  ceremony: PendingCeremony,
): Promise<void> {
  return getCookies(context).save(challenge, { ...ceremony, provider: context.provider.id })
}

/**
 * Returns the ceremony of a challenge, and deletes its cookie even if the request fails. Returns undefined when this
 * browser did not request it, or it is too old or for another provider.
 */
export async function consumeCeremony(
  context: WebAuthnFlowContext,
  challenge: string,
): Promise<PendingCeremony | undefined> {
  const values = await getCookies(context).consume(challenge)
  if (values?.["provider"] !== context.provider.id) return undefined
  return values as unknown as PendingCeremony // sealed by `saveCeremony`
}

/** Maximum number of challenges. A new one replaces the oldest. */
const maxUsedChallenges = 10_000

/** Challenges that have been answered in this process. */
export class UsedChallenges {
  /** In the order of their use, which is also the order in which they expire. */
  readonly #expiries = new Map<string, number>()

  /** Adds a challenge by its hash. Returns false when it was added before. */
  add(hash: string): boolean {
    for (const [oldest, expiry] of this.#expiries) {
      if (expiry > Date.now() && this.#expiries.size < maxUsedChallenges) break
      this.#expiries.delete(oldest)
    }
    if (this.#expiries.has(hash)) return false
    this.#expiries.set(hash, Date.now() + pendingSignInMaxAge * 1000)
    return true
  }
}

/** Not one for each configuration, because an application may create that for each request. */
const usedChallenges = new UsedChallenges()

/**
 * Records that a challenge was answered, until no cookie with it can be valid: in this process, and beside the tokens
 * of e-mail links, under an identifier that is not an address.
 *
 * @throws WebAuthnVerificationError when this process recorded it before
 * @throws AdapterError when another process did, because tokens are unique, or the adapter fails
 */
export async function recordUsedChallenge(
  { config, provider, store }: WebAuthnFlowContext,
  challenge: string,
): Promise<void> {
  const token = await sha256Base64Url(challenge)
  if (!usedChallenges.add(token))
    throw createVerificationError(provider, "a challenge that has not been answered yet")
  const identifier = `passkey-challenge:${provider.id}`
  const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
  if (config.adapter?.createVerificationToken)
    await store?.createVerificationToken({ identifier, token, expires })
}

function getCookies(context: WebAuthnFlowContext): TransactionCookies {
  const { webauthnChallenge } = context.request.cookieDefinitions
  return new TransactionCookies(context, "passkey challenge", webauthnChallenge)
}
