/**
 * Maximum lengths of values that rows are found by, in characters. Indexes of MySQL hold 3072 bytes, and four bytes per
 * character. The other engines have the same limits, so that data can be moved.
 */
export const maxKeyLengths = {
  "User.id": 255,
  // The library accepts no longer addresses.
  "User.email": 320,
  "Account.id": 255,
  "Account.userId": 255,
  "Account.provider": 128,
  // WebAuthn allows ids of 1023 bytes; in practice they stay below 200. Here they are in Base64.
  "Account.providerAccountId": 640,
  "Session.id": 255,
  "Session.userId": 255,
  "Session.sessionToken": 512,
  "VerificationToken.identifier": 320,
  "VerificationToken.token": 255,
  "Authenticator.credentialID": 640,
  "Authenticator.userId": 255,
  "Authenticator.providerAccountId": 640,
  "LatchkeyLease.key": 255,
  "LatchkeyLease.holder": 255,
  "LatchkeyAttempt.key": 255,
  "LatchkeySessionRecord.id": 64,
  "LatchkeySessionRecord.userId": 255,
  "LatchkeySessionRecord.providerSession": 64,
  "LatchkeySessionRecord.providerSubject": 64,
  "LatchkeySessionChange.key": 80,
  "LatchkeyFactor.id": 64,
  "LatchkeyFactor.userId": 255,
} as const

/** A column that rows are found by. */
export type KeyColumn = keyof typeof maxKeyLengths

/** Returns the maximum length of a column; infinite if no row is found by it. */
export function maxLengthOf(column: string): number {
  return Object.hasOwn(maxKeyLengths, column)
    ? maxKeyLengths[column as KeyColumn]
    : Number.POSITIVE_INFINITY
}
