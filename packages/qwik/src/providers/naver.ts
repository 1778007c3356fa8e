export * from "@latchkey/core/providers/naver"
export { default } from "@latchkey/core/providers/naver"
