import { WebAuthnVerificationError } from "../../errors.ts"

/** Why a passkey is refused: for the log. Whoever tried is told the same whatever the reason was. */
export interface Refusal {
  readonly expected: string
  readonly hint?: string
  readonly cause?: unknown
}

export function refused(provider: string, refusal: Refusal): WebAuthnVerificationError {
  return new WebAuthnVerificationError({ provider, ...refusal })
}
