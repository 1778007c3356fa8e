import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// 10⁵ random sequences, half of them with each strategy. `LATCHKEY_SEQUENCES` sets another number for each.
// Also every fault of every call to the outside.
const models = mergeConfig(base, {
  test: {
    env: {
      LATCHKEY_SEQUENCES: process.env["LATCHKEY_SEQUENCES"] ?? "50000",
      LATCHKEY_ALL_FAULTS: "1",
    },
  },
})

export default {
  ...models,
  test: { ...models.test, include: ["packages/core/test/models/*.test.ts"] },
}
