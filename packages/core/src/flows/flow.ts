/** The context of the flows, their result, and the request that application code receives. */
import type { CoreServices } from "../config/core-services.ts"
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { ActionRequest, SignInState } from "../http/action-request.ts"
import type { SelectLanguage } from "../pages/render-page.ts"
import type { ProvenIdentity } from "../proven-identity.ts"

/** A request, and the services with which a flow handles it. */
export interface FlowContext extends CoreServices {
  readonly request: ActionRequest
  readonly selectLanguage: SelectLanguage
}

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

/** These describe the body as it was sent, not the new one. */
const bodyHeaders = ["content-encoding", "content-length", "transfer-encoding"]

/** Creates a request for application code with its body as JSON, because the original body has been read. */
export function createJsonRequest(
  { url, headers }: Pick<ActionRequest, "url" | "headers">,
  body: Readonly<Record<string, unknown>>,
): Request {
  const init = { method: "POST", headers: [...headers], body: JSON.stringify(body) }
  const request = new Request(url, init)
  for (const name of bodyHeaders) request.headers.delete(name)
  request.headers.set("content-type", "application/json")
  return request
}
