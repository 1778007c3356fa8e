export * from "@latchkey/core/providers/twitter"
export { default } from "@latchkey/core/providers/twitter"
