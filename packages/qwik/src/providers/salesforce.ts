export * from "@latchkey/core/providers/salesforce"
export { default } from "@latchkey/core/providers/salesforce"
