export * from "@latchkey/core/providers/tenantidp"
export { default } from "@latchkey/core/providers/tenantidp"
