/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/express/client`. */
export * from "@latchkey/client/webauthn"
