/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/sveltekit/client`. */
export * from "@latchkey/client/webauthn"
