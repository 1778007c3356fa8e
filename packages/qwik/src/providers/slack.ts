export * from "@latchkey/core/providers/slack"
export { default } from "@latchkey/core/providers/slack"
