/** Passkeys for pages of the application. */
export * from "./passkeys/create-passkeys.ts"
export type * from "./passkeys/passkey-types.ts"
