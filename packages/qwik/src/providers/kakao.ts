export * from "@latchkey/core/providers/kakao"
export { default } from "@latchkey/core/providers/kakao"
