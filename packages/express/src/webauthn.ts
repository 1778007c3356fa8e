/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/express/client`. Experimental. */
export * from "@latchkey/client/webauthn"
