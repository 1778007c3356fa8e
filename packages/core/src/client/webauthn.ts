/** Passkeys for pages of the application. Experimental. */
export { createPasskeys, type Passkeys, type PasskeysOptions } from "./passkeys/create-passkeys.ts"
export type {
  PasskeyAutofill,
  PasskeyOptions,
  PasskeyResult,
  PasskeySignUp,
} from "./passkeys/passkey-types.ts"
