/** Deviations from an honest response. */
export interface AuthenticatorOverrides {
  /** Origin in the client data. */
  readonly origin?: string
  /** Relying party id that the authenticator hashes. */
  readonly rpId?: string
  /** Type in the client data: `webauthn.get` or `webauthn.create`. */
  readonly type?: string
  /** Challenge in the client data, in base64url. */
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  /** Flag of the authenticator data: a person was present. */
  readonly userPresent?: boolean
  /** Flag of the authenticator data: the authenticator verified the person. */
  readonly userVerified?: boolean
  /** Flag of the authenticator data: the passkey may be backed up, and so synced. */
  readonly backupEligible?: boolean
  /** Flag of the authenticator data: the passkey is backed up. */
  readonly backedUp?: boolean
  /** Signature counter. */
  readonly counter?: number
  /** `broken` flips a bit; `foreign` signs the same data with another key. */
  readonly signature?: "broken" | "foreign"
  /** Claimed id of the credential, in base64url. */
  readonly credentialId?: string
  /** User handle of a sign-in, in base64url. */
  readonly userHandle?: string
  /** AAGUID of the authenticator that creates the passkey, as a UUID. Zeros do not reveal the model. */
  readonly aaguid?: string
  /** Format of the attestation, such as `packed`. The attestation itself stays empty. */
  readonly attestation?: string
}

/** Encodes the flags of the authenticator data (WebAuthn Level 3, section 6.1). */
export function encodeFlags(
  overrides: AuthenticatorOverrides,
  verifiesUser: boolean,
  hasAttestedData: boolean,
): number {
  const present = (overrides.userPresent ?? true) ? 0x01 : 0
  const verified = (overrides.userVerified ?? verifiesUser) ? 0x04 : 0
  const eligible = overrides.backupEligible ? 0x08 : 0
  const backedUp = overrides.backedUp ? 0x10 : 0
  return present | verified | eligible | backedUp | (hasAttestedData ? 0x40 : 0)
}
