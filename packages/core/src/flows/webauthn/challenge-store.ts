/** Challenges: remembered by the browser that asked, and good for one answer. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { CoreServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/action-request.ts"
import type { User } from "../../types.ts"
import type { LinkRequest } from "../flow-result.ts"
import {
  consumeTransaction,
  saveTransaction,
  type TransactionCookieStore,
} from "../transaction-cookies.ts"
import { createUsedChallenges } from "./used-challenges.ts"

/** What a challenge was given out for. */
type CeremonyPurpose =
  | {
      readonly kind: "authenticate"
      /** The user whose passkey it has to be; null where the device says whose it is. */
      readonly userId: string | null
    }
  | {
      readonly kind: "register"
      /** The person as they describe themselves. */
      readonly user: User
      /** The user whose session asked for another passkey; null for a new user. */
      readonly linkRequest: LinkRequest | null
    }

/** A ceremony, with whom it is between. */
export type PendingCeremony = CeremonyPurpose & {
  readonly provider: string
  /** Id of the relying party. */
  readonly rpId: string
}

export interface ChallengeStore {
  saveChallenge(
    context: SessionContext,
    challenge: string,
    ceremony: PendingCeremony,
  ): Promise<void>
  /**
   * Takes what a challenge was given out for; undefined when this browser was not given it, or too long ago, or for
   * another provider, or when it is used up. It is used up afterwards, whatever comes of it.
   */
  consumeChallenge(
    context: SessionContext,
    challenge: string,
    provider: string,
  ): Promise<PendingCeremony | undefined>
}

/** Where challenges of the contract's adapters are kept: beside the tokens of e-mail links, under no address. */
const getTokenIdentifier = (provider: string): string => `passkey-challenge:${provider}`

export function createChallengeStore(services: CoreServices): ChallengeStore {
  const { config, sealer, hasher, store } = services
  const { adapterMethods } = config
  const canUseTokens =
    adapterMethods.has("createVerificationToken") && adapterMethods.has("useVerificationToken")
  const tokenStore = canUseTokens ? store : undefined
  const usedChallenges = createUsedChallenges()
  return {
    async saveChallenge(context, challenge, ceremony) {
      const token = await hasher.hash("passkey challenge", challenge)
      const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
      const identifier = getTokenIdentifier(ceremony.provider)
      await tokenStore?.createVerificationToken({ identifier, token, expires })
      await saveTransaction(context, sealer, getCookieStore(context), challenge, ceremony)
    },
    async consumeChallenge(context, challenge, provider) {
      const payload = await consumeTransaction(context, sealer, getCookieStore(context), challenge)
      if (!payload) return undefined
      const ceremony = payload as unknown as PendingCeremony // sealed by `remember`
      const tokens = await hasher.hashWithEachSecret("passkey challenge", challenge)
      const isFirstUse = tokenStore
        ? await consumeToken(tokens, ceremony.provider)
        : usedChallenges.add(tokens)
      return isFirstUse && ceremony.provider === provider ? ceremony : undefined
    },
  }

  /** One of many callers gets it: the contract of the adapter's method. */
  async function consumeToken(tokens: readonly string[], provider: string): Promise<boolean> {
    const identifier = getTokenIdentifier(provider)
    for (const token of tokens) {
      const row = await tokenStore?.useVerificationToken({ identifier, token })
      if (!row) continue
      if (row.token === token) return row.expires.getTime() > Date.now()
      // The adapter looked for less than it was asked for: what it took is somebody else's.
      await tokenStore?.createVerificationToken(row)
      return false
    }
    return false
  }
}

function getCookieStore(context: SessionContext): TransactionCookieStore {
  return {
    cookie: context.cookieDefinitions.webauthnChallenge,
    purpose: "passkey challenge",
    isCrossSite: false,
  }
}
