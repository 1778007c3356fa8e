/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/solid-start/client`. */
export * from "@latchkey/client/webauthn"
