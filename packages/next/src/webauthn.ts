/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/fetch/client`. Experimental. */
export * from "@latchkey/client/webauthn"
