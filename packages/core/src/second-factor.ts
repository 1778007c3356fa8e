/** The kinds of second factors, for the option `secondFactor`. */

export type { FactorMethod } from "./factor-method.ts"
export { recoveryCodes } from "./flows/second-factor/recovery-codes.ts"
export { type TotpOptions, totp } from "./flows/second-factor/totp.ts"
