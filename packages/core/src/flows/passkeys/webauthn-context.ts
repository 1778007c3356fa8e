/** The context that the steps of a sign-in with a passkey share. */
import type { AdapterStore } from "../../config/adapter-store.ts"
import { type ErrorDetails, WebAuthnVerificationError } from "../../errors.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnServer } from "../../providers/webauthn-types.ts"
import type { FlowContext } from "../flow.ts"
import type { ParsedCredential } from "./parse-credential.ts"

export interface WebAuthnFlowContext extends FlowContext {
  readonly provider: ResolvedWebAuthnProvider
}

/** A response of a device, and what verifies it. */
export interface CeremonyResponse {
  readonly provider: ResolvedWebAuthnProvider
  readonly store: AdapterStore
  readonly server: WebAuthnServer
  readonly credential: ParsedCredential
  /** The values that the response must match. */
  readonly expected: {
    readonly expectedChallenge: string
    readonly expectedOrigin: string[]
    readonly expectedRPID: string
  }
}

export function createVerificationError(
  { id }: ResolvedWebAuthnProvider,
  expected: string,
  details: Pick<ErrorDetails, "hint" | "cause"> = {},
): WebAuthnVerificationError {
  return new WebAuthnVerificationError({ provider: id, expected, ...details })
}
