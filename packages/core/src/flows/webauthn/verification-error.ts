import { WebAuthnVerificationError } from "../../errors.ts"

/** Why a passkey is refused: for the log. Whoever tried is told the same whatever the reason was. */
export interface VerificationFailure {
  readonly expected: string
  readonly hint?: string
  readonly cause?: unknown
}

export function createVerificationError(
  provider: string,
  failure: VerificationFailure,
): WebAuthnVerificationError {
  return new WebAuthnVerificationError({ provider, ...failure })
}
