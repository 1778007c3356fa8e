/** How an answer differs from an honest one. */
export interface AuthenticatorOverrides {
  /** Origin in the client data. */
  readonly origin?: string
  /** Id of the relying party that the authenticator hashes. */
  readonly rpId?: string
  /** Type in the client data: `webauthn.get` or `webauthn.create`. */
  readonly type?: string
  /** Challenge in the client data: base64url. */
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  /** Flag of the authenticator data: somebody was there. */
  readonly userPresent?: boolean
  /** Flag of the authenticator data: it was the owner. */
  readonly userVerified?: boolean
  /** Signature counter. */
  readonly counter?: number
  /** `broken` has a bit flipped, `foreign` is another key's over the same data. */
  readonly signature?: "broken" | "foreign"
  /** Id of the credential that is claimed: base64url. */
  readonly credentialId?: string
  /** What the authenticator calls its attestation, such as `packed`, without there being one. */
  readonly attestation?: string
}

/** The flags of the authenticator data (WebAuthn Level 3, section 6.1). */
export function encodeFlags(
  overrides: AuthenticatorOverrides,
  verifiesUser: boolean,
  hasAttestedData: boolean,
): number {
  const present = (overrides.userPresent ?? true) ? 0x01 : 0
  const verified = (overrides.userVerified ?? verifiesUser) ? 0x04 : 0
  return present | verified | (hasAttestedData ? 0x40 : 0)
}
