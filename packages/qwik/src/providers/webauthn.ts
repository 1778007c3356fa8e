export * from "@latchkey/core/providers/webauthn"
export { default } from "@latchkey/core/providers/webauthn"
