/** What a flow comes to. */
import type { ProvenIdentity } from "../proven-identity.ts"

/** Somebody proved who they are, or the answer belongs to another deployment. */
export type FlowResult =
  | {
      readonly kind: "completed"
      readonly identity: ProvenIdentity
      /** Where to go afterwards, as it was decided when the sign-in began. */
      readonly callbackUrl: string | undefined
      /** The user that asked for the account to be linked. */
      readonly linkRequest: LinkRequest | undefined
      /** Makes the proof usable again after a fault of ours. */
      readonly restoreToken?: () => Promise<void>
    }
  | { readonly kind: "forward"; readonly url: string }

/** A request to link, as it was recorded when the sign-in began. */
export interface LinkRequest {
  /** The user that was signed in. */
  readonly userId: string
  /** A hash that only the session which asked has. */
  readonly sessionBinding: string
}
