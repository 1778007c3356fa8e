import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// Tests with other libraries and frameworks, which are installed in `compat/*` only, and of our types with TypeScript 6.
const compat = mergeConfig(base, {
  test: {
    isolate: true, // Auth.js remembers some things for the whole process
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { LATCHKEY_TYPESCRIPT: "typescript" },
  },
})

export default {
  ...compat,
  test: {
    ...compat.test,
    include: ["compat/*/test/**/*.test.ts", "type-tests/*.test.ts"],
    exclude: ["**/node_modules/**"],
  },
}
