export * from "@latchkey/core/providers/discord"
export { default } from "@latchkey/core/providers/discord"
