import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// Tests that drive a real Chromium; its path comes from LATCHKEY_CHROMIUM.
const browser = mergeConfig(base, {
  test: { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 1 },
})

export default {
  ...browser,
  test: {
    ...browser.test,
    include: ["packages/*/test/**/*.browser.test.ts", "demo/test/**/*.browser.test.ts"],
    exclude: ["**/node_modules/**"],
  },
}
