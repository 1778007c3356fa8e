export * from "@latchkey/core/providers/keycloak"
export { default } from "@latchkey/core/providers/keycloak"
