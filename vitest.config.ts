import { join } from "node:path"
import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"

// The workspace's packages resolve to their sources. "node" keeps `#primitives` on its Node variant.
const source = "@latchkey/source"

export default defineConfig({
  resolve: { conditions: [source, "node", ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "demo/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
      "type-tests/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/*.browser.test.ts", "**/*.server.test.ts"],
    environment: "node",
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    // Fewer collections of short-lived objects, and PGlite without optimized WebAssembly, which costs more than it saves.
    execArgv: ["--max-semi-space-size=64", "--liftoff-only"],
    // Processes that tests start compile each module once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    testTimeout: 20_000,
    hookTimeout: 30_000,
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"] },
  },
})
