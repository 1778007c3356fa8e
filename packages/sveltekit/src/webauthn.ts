/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/sveltekit/client`. Experimental. */
export * from "@latchkey/client/webauthn"
