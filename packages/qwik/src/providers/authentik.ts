export * from "@latchkey/core/providers/authentik"
export { default } from "@latchkey/core/providers/authentik"
