import { join } from "node:path"
import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// The workspace's packages resolve to their sources. "node" keeps `#primitives` on its Node variant.
const source = "@latchkey/source"

const slowFiles = [
  "packages/sql/test/conformance.databases.test.ts",
  "demo/test/command-line.test.ts",
  "type-tests/consumers.test.ts",
  "packages/testing/test/conformance.test.ts",
  "packages/mikro-orm/test/conformance.databases.test.ts",
  "packages/sql/test/migrations.databases.test.ts",
]

/** Runs the slow files first, so that no worker starts one while the other has nothing left to do. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      slowFiles.some((file) => moduleId.endsWith(`/${file}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export default defineConfig({
  resolve: { conditions: [source, "node", ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "demo/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
      "type-tests/*.test.ts",
      "site/test/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/*.browser.test.ts", "**/*.server.test.ts"],
    environment: "node",
    pool: "forks",
    isolate: false,
    // One more than the cores, because some tests wait for processes and timers.
    maxWorkers: 3,
    // Fewer collections of short-lived objects, and PGlite without optimized WebAssembly, which costs more than it saves.
    execArgv: ["--max-semi-space-size=64", "--liftoff-only"],
    // Processes that tests start compile each module once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    sequence: { sequencer: SlowFilesFirst },
    // Concurrent tests mostly wait: those of the conformance suite for windows and leases to expire.
    maxConcurrency: 25,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"] },
  },
})
