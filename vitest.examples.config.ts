import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The example applications, installed and built as their users do. Two side by side, each in its own process.
const examples = mergeConfig(base, {
  test: { testTimeout: 60_000, hookTimeout: 420_000, maxWorkers: 2 },
})

export default {
  ...examples,
  test: { ...examples.test, include: ["scripts/applications/test/**/*.test.ts"] },
}
