/** Passkeys in pages of the application. Experimental. */
export { createPasskeys, type Passkeys, type PasskeysOptions } from "./passkeys/create.ts"
export type {
  PasskeyAutofill,
  PasskeyOptions,
  PasskeyResult,
  PasskeySignUp,
} from "./passkeys/results.ts"
