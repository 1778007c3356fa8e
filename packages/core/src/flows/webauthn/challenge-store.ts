/** Challenges: sealed in a cookie of the browser that requested them, and valid for one response. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { CoreServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { User } from "../../types.ts"
import type { LinkRequest } from "../flow-result.ts"
import {
  consumeTransaction,
  saveTransaction,
  type TransactionCookies,
} from "../transaction-cookies.ts"
import { consumeVerificationToken } from "../verification-token.ts"
import { UsedChallenges } from "./used-challenges.ts"

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

export class ChallengeStore {
  readonly #services: CoreServices
  readonly #usedChallenges = new UsedChallenges()

  constructor(services: CoreServices) {
    this.#services = services
  }

  async save(context: SessionContext, challenge: string, ceremony: PendingCeremony): Promise<void> {
    const token = await this.#services.hasher.hash("passkey challenge", challenge)
    const expires = new Date(Date.now() + pendingSignInMaxAge * 1000)
    const identifier = getTokenIdentifier(ceremony)
    await this.#tokenStore?.createVerificationToken({ identifier, token, expires })
    await saveTransaction(this.#getCookies(context), challenge, ceremony)
  }

  /**
   * Returns the ceremony of a challenge, which cannot be used again even if the request fails. Returns undefined when
   * this browser did not request it, or it is too old, for another provider, or used.
   */
  async consume(
    context: SessionContext,
    challenge: string,
    provider: string,
  ): Promise<PendingCeremony | undefined> {
    const payload = await consumeTransaction(this.#getCookies(context), challenge)
    if (!payload) return undefined
    const ceremony = payload as unknown as PendingCeremony // sealed by `save`
    const tokens = await this.#services.hasher.hashWithEachSecret("passkey challenge", challenge)
    const store = this.#tokenStore
    const identifier = getTokenIdentifier(ceremony)
    const storedToken = store && (await consumeVerificationToken(store, identifier, tokens))
    const isFirstUse = store
      ? Number(storedToken?.expires.getTime()) > Date.now()
      : this.#usedChallenges.add(tokens)
    return isFirstUse && ceremony.provider === provider ? ceremony : undefined
  }

  get #tokenStore(): CoreServices["store"] {
    const { config, store } = this.#services
    const methods = ["createVerificationToken", "useVerificationToken"] as const
    return methods.every((name) => config.adapterMethods.has(name)) ? store : undefined
  }

  #getCookies(context: SessionContext): TransactionCookies {
    const { webauthnChallenge: cookie } = context.cookieDefinitions
    return { context, sealer: this.#services.sealer, purpose: "passkey challenge", cookie }
  }
}

/** Stores challenges beside the tokens of e-mail links, under an identifier that is not an address. */
const getTokenIdentifier = ({ provider }: Ceremony): string => `passkey-challenge:${provider}`
