import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// Tests beside other libraries, which are installed in `compat/*` and nowhere else.
const compat = mergeConfig(base, { test: { testTimeout: 60_000, hookTimeout: 120_000 } })

export default {
  ...compat,
  test: {
    ...compat.test,
    include: ["compat/*/test/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
  },
}
