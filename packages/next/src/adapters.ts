export * from "@latchkey/core/adapters"
