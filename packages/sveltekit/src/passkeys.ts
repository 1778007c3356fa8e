export * from "@latchkey/core/passkeys"
export { default } from "@latchkey/core/passkeys"
