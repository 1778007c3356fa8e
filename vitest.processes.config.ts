import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// Four processes behind a proxy, on databases of their own. One file after another: each is many processes.
const processes = mergeConfig(base, {
  test: { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 1 },
})

export default {
  ...processes,
  test: { ...processes.test, include: ["scripts/{processes,misconfigurations}/test/**/*.test.ts"] },
}
