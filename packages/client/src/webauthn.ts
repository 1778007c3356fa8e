/** Passkeys for pages of the application. Experimental. */
export * from "./passkeys/create-passkeys.ts"
export type * from "./passkeys/passkey-types.ts"
