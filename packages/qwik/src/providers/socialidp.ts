export * from "@latchkey/core/providers/socialidp"
export { default } from "@latchkey/core/providers/socialidp"
