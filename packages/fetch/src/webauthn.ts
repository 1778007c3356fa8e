/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/fetch/client`. */
export * from "@latchkey/client/webauthn"
