/** The result of a sign-in flow. */
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { SignInState } from "../http/action-request.ts"
import type { ProvenIdentity } from "../proven-identity.ts"

export interface CompletedFlow {
  readonly kind: "completed"
  readonly identity: ProvenIdentity
  /** The state that the sign-in began with. */
  readonly signIn?: SignInState
  readonly linkRequest?: LinkRequest | undefined
  /** The keys of the counters that the sign-in resets. */
  readonly attemptKeys?: readonly string[]
  /** Makes the proof usable again, for when an error of the application prevents the sign-in. */
  readonly restoreToken?: () => Promise<void>
}

/**
 * A proven identity; the response to a request that proves none, such as a page that asks for a code; or the error of a
 * sign-in that is known, so that the error page can lead back to where it began.
 */
export type FlowResult =
  | CompletedFlow
  | { readonly kind: "response"; readonly outcome: ActionOutcome }
  | { readonly kind: "failed"; readonly error: unknown; readonly signIn: SignInState }

/** A request to add the account to a user, recorded when the sign-in began. */
export interface LinkRequest {
  /** The user who was signed in. */
  readonly userId: string
  /** A hash that identifies the session that made the request. */
  readonly sessionBinding: string
}
