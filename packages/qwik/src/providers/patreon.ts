export * from "@latchkey/core/providers/patreon"
export { default } from "@latchkey/core/providers/patreon"
