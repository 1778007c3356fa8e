export * from "@latchkey/core/providers/yandex"
export { default } from "@latchkey/core/providers/yandex"
