/**
 * Passkeys for pages: `createPasskeys(client)` with a client of `@latchkey/qwik/client`.
 *
 * This is a separate entry because Vite pre-bundles packages in development, except those for Qwik. The entry of
 * `@latchkey/client` would contain a second copy of the modules that both share, and would not recognize the client.
 */
export * from "@latchkey/client/webauthn"
