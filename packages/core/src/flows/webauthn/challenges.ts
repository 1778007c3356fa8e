/** Challenges: remembered by the browser that asked, and good for one answer. */
import { flowLifetime } from "../../config/cookies.ts"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import type { Visit } from "../../http/exchange.ts"
import type { User } from "../../types.ts"
import { beginAttempt, type Shelf, takeAttempt } from "../attempts.ts"
import type { LinkRequest } from "../proof.ts"
import { createUsedChallenges } from "./used-challenges.ts"

/** What a challenge was given out for. */
type Ceremony =
  | {
      readonly kind: "authenticate"
      /** The user whose passkey it has to be; null where the device says whose it is. */
      readonly owner: string | null
    }
  | {
      readonly kind: "register"
      /** The person as they describe themselves. */
      readonly user: User
      /** The user whose session asked for another passkey; null for a new user. */
      readonly link: LinkRequest | null
    }

/** A ceremony, with whom it is between. */
export type Remembered = Ceremony & {
  readonly provider: string
  /** Id of the relying party. */
  readonly party: string
}

export interface Challenges {
  remember(visit: Visit, challenge: string, ceremony: Remembered): Promise<void>
  /**
   * Takes what a challenge was given out for; undefined when this browser was not given it, or too long ago, or for
   * another provider, or when it is used up. It is used up afterwards, whatever comes of it.
   */
  take(visit: Visit, challenge: string, provider: string): Promise<Remembered | undefined>
}

/** Where challenges of the contract's adapters are kept: beside the tokens of e-mail links, under no address. */
const identifierOf = (provider: string): string => `passkey-challenge:${provider}`

export function createChallenges(config: ResolvedConfig): Challenges {
  const { sealer, hasher, store } = config
  const kept = config.can.useVerificationToken ? store : undefined
  const used = createUsedChallenges()
  return {
    async remember(visit, challenge, ceremony) {
      const token = await hasher.hash("passkey challenge", challenge)
      const expires = new Date(Date.now() + flowLifetime * 1000)
      const identifier = identifierOf(ceremony.provider)
      await kept?.createVerificationToken({ identifier, token, expires })
      await beginAttempt(visit, sealer, shelf(visit), challenge, ceremony)
    },
    async take(visit, challenge, provider) {
      const opened = await takeAttempt(visit, sealer, shelf(visit), challenge)
      if (!opened) return undefined
      const remembered = opened as unknown as Remembered // sealed by `remember`
      const tokens = await hasher.hashes("passkey challenge", challenge)
      const first = kept ? await redeem(tokens, remembered.provider) : used.add(tokens)
      return first && remembered.provider === provider ? remembered : undefined
    },
  }

  /** One of many callers gets it: the contract of the adapter's method. */
  async function redeem(tokens: readonly string[], provider: string): Promise<boolean> {
    const identifier = identifierOf(provider)
    for (const token of tokens) {
      const row = await kept?.useVerificationToken({ identifier, token })
      if (!row) continue
      if (row.token === token) return row.expires.getTime() > Date.now()
      // The adapter looked for less than it was asked for: what it took is somebody else's.
      await kept?.createVerificationToken(row)
      return false
    }
    return false
  }
}

function shelf(visit: Visit): Shelf {
  return {
    cookie: visit.table.webauthnChallenge,
    purpose: "passkey challenge",
    crossSite: false,
  }
}
