export * from "@latchkey/core/providers/reddit"
export { default } from "@latchkey/core/providers/reddit"
