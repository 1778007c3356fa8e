import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The built documentation site in Chromium; its path comes from LATCHKEY_CHROMIUM.
const docs = mergeConfig(base, {
  test: { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 1 },
})

export default {
  ...docs,
  test: {
    ...docs.test,
    include: ["site/test/**/*.browser.test.ts"],
    exclude: ["**/node_modules/**"],
  },
}
