export * from "@latchkey/core/providers/cognito"
export { default } from "@latchkey/core/providers/cognito"
