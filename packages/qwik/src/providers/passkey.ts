export * from "@latchkey/core/providers/passkey"
export { default } from "@latchkey/core/providers/passkey"
