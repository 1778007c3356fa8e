/** The result of a sign-in flow. */
import type { ProvenIdentity } from "../proven-identity.ts"

export interface CompletedFlow {
  readonly kind: "completed"
  readonly identity: ProvenIdentity
  readonly linkRequest?: LinkRequest | undefined
  /** Makes the proof usable again, for when a fault of the application prevents the sign-in. */
  readonly restoreToken?: () => Promise<void>
}

/** A proven identity, or the URL that continues with the response: of another deployment, or by GET (status 303). */
export type FlowResult =
  | CompletedFlow
  | { readonly kind: "forward"; readonly url: string; readonly status?: 303 }

/** A request to add the account to a user, recorded when the sign-in began. */
export interface LinkRequest {
  /** The user who was signed in. */
  readonly userId: string
  /** A hash that identifies the session that made the request. */
  readonly sessionBinding: string
}
