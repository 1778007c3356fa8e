/**
 * The purposes of sealed values and keyed hashes. Each has a key of its own, so that a value issued for one purpose is
 * worthless for all others. The purpose matrix (test/crypto/purpose-matrix.test.ts) presents each at every other's
 * place.
 */

/** Values that are encrypted for the browser or for another deployment. */
export const sealPurposes = [
  "error report",
  "sign-in failure",
  "transaction",
  "form response",
  "email request",
  "requested link",
  "proxied state",
  "passkey challenge",
  "provider logout",
  "pending sign-in",
  "factor setup",
  "factor proof",
  "trusted device",
] as const
export type SealPurpose = (typeof sealPurposes)[number]

/** The purpose of sealed tokens in the accounts table, which have no lifetime: see `token-sealer.ts`. */
export const tokenSealPurpose = "account token"

/** The purpose of the sealed data of second factors, which has no lifetime: see `stored-factors.ts`. */
export const factorSealPurpose = "second factor"

/** Values that are compared only. */
export const hashPurposes = [
  "csrf",
  "email link",
  "email link with code",
  "email code",
  "email code attempt",
  "session binding",
  "ended session",
  "attempt",
  "browser",
  "pending sign-in token",
] as const
export type HashPurpose = (typeof hashPurposes)[number]
