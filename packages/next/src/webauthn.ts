/** Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/next/react`. */
export * from "@latchkey/client/webauthn"
