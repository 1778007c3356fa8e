export * from "@latchkey/core/providers/auth0"
export { default } from "@latchkey/core/providers/auth0"
