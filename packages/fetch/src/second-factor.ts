export * from "@latchkey/core/second-factor"
