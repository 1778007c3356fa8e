/**
 * Passkeys in pages: `createPasskeys(client)`, with a client of `@latchkey/qwik/client`. Experimental.
 *
 * An entry of its own: in development Vite bundles packages ahead, but none of Qwik. The core's entry would bring a
 * second copy of what the two share, and not know the client.
 */
export * from "@latchkey/core/client/webauthn"
