/** The kinds of second factors, for the option `secondFactor`, and the check of a session's level. */

export type {
  AcceptedFactors,
  FactorMethod,
  SecondFactorOptions,
} from "./config/second-factor-options.ts"
export { emailCodes } from "./flows/second-factor/email-codes.ts"
export { passkeys } from "./flows/second-factor/passkey-factor.ts"
export { recoveryCodes } from "./flows/second-factor/recovery-codes.ts"
export { type TotpOptions, totp } from "./flows/second-factor/totp.ts"
export { type LevelOptions, requireLevel } from "./sessions/require-level.ts"
