/**
 * How long values may be that rows are found by, in characters. Indices of MySQL take 3072 bytes, of four a character;
 * the other engines keep to the same, so that what fits into one fits into all.
 */
export const maxKeyLengths = {
  "User.id": 255,
  // What the library takes for an address is not longer.
  "User.email": 320,
  "Account.id": 255,
  "Account.userId": 255,
  "Account.provider": 128,
  // The id of a passkey is up to 1023 bytes by the standard, and below 200 in practice; here it stands in base64.
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
} as const

/** A column that rows are found by. */
export type KeyColumn = keyof typeof maxKeyLengths

/** How long a value of a column may be; infinite where no row is found by it. */
export function maxLengthOf(column: string): number {
  return Object.hasOwn(maxKeyLengths, column)
    ? maxKeyLengths[column as KeyColumn]
    : Number.POSITIVE_INFINITY
}
