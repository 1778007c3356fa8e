import { join } from "node:path"
import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig, type UserWorkspaceConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// The workspace's packages resolve to their sources. "node" keeps `#primitives` on its Node variant.
const source = "@latchkey/source"

/** What each project adds to the options at the end: `npm test` runs `unit`, `npm test -- --project browser` another. */
const projects: Readonly<Record<string, UserWorkspaceConfig["test"]>> = {
  // Everything that needs no server, no browser and no other library.
  unit: {
    include: [
      "packages/*/test/**/*.test.ts",
      "demo/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
      "scripts/upgrades/test/**/*.test.ts",
      "type-tests/*.test.ts",
      "site/test/*.test.ts",
    ],
    exclude: ["**/*.browser.test.ts", "**/*.server.test.ts"],
    globalSetup: "scripts/test-setup/provider-entries.ts",
  },
  // The databases that `unit` leaves out. LATCHKEY_POSTGRES, LATCHKEY_MARIADB and LATCHKEY_REDIS name the servers.
  databases: {
    include: [
      "packages/{mikro-orm,redis,sql}/test/**/*.{databases,server}.test.ts",
      "scripts/upgrades/test/*.{databases,server}.test.ts",
    ],
    env: { LATCHKEY_DATABASES: "others" },
  },
  // 10,000 random sequences with a new seed in each run, half of them with each strategy; `LATCHKEY_SEQUENCES` sets
  // another number for each, of which a tenth is of sessions that end while others begin. Also every fault of every call to
  // the outside, and more random values for the properties that `unit` tests with a few.
  models: {
    include: [
      "packages/core/test/models/*.test.ts",
      "packages/core/test/**/{*-properties,authorization-request,cookie-header,email-address}.test.ts",
      "packages/*/test/**/{escaping,jws,stylesheet}.test.ts",
      "packages/*/test/**/hostile-bytes.test.ts",
    ],
    env: {
      LATCHKEY_SEQUENCES: process.env["LATCHKEY_SEQUENCES"] ?? "5000",
      LATCHKEY_COMPLETE: "1",
    },
  },
  // A real Chromium, which `launchChromium` finds.
  browser: {
    include: ["packages/*/test/**/*.browser.test.ts", "demo/test/**/*.browser.test.ts"],
    globalSetup: "scripts/test-setup/provider-entries.ts",
    maxWorkers: 3,
  },
  // The built documentation site, in the same Chromium.
  site: { include: ["site/test/**/*.browser.test.ts"], maxWorkers: 1 },
  // Other libraries and frameworks, which are installed in `compat/*` only, and our types with the
  // oldest TypeScript.
  compat: {
    include: ["compat/*/test/**/*.test.ts", "type-tests/*.test.ts"],
    globalSetup: "scripts/test-setup/compat.ts",
    isolate: true, // Auth.js remembers some things for the whole process
    hookTimeout: 120_000,
    env: { LATCHKEY_TYPESCRIPT: "../compat/authjs/node_modules/typescript-5.4" },
  },
  // The example applications, installed and built as their users do. Three side by side, each in its own process: they mostly wait.
  examples: {
    include: ["scripts/applications/test/**/*.test.ts"],
    globalSetup: ["scripts/test-setup/packed-packages.ts", "scripts/test-setup/registry.ts"],
    hookTimeout: 420_000,
    maxWorkers: 3,
  },
  // Four processes behind a proxy, on databases of their own. One file after another: each is many processes.
  processes: {
    include: ["scripts/{misconfigurations,platforms,processes}/test/**/*.test.ts"],
    globalSetup: "scripts/test-setup/packed-packages.ts",
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
}

const slowFiles = [
  "scripts/applications/test/quick-starts.test.ts",
  "scripts/applications/test/initialized-applications.test.ts",
  "scripts/applications/test/release.test.ts",
  "scripts/applications/test/next-15.test.ts",
  "scripts/applications/test/next.test.ts",
  "packages/testing/test/conformance.test.ts",
  "type-tests/consumers.test.ts",
  "packages/sql/test/large-tables.server.test.ts",
  "packages/sql/test/conformance.databases.test.ts",
  "packages/redis/test/conformance.server.test.ts",
  "packages/redis/test/cluster.server.test.ts",
  "demo/test/command-line.test.ts",
  "packages/mikro-orm/test/conformance.databases.test.ts",
  "packages/sql/test/migrations.databases.test.ts",
  "packages/core/test/models/ended-sessions.test.ts",
  "packages/core/test/models/fault-matrix.test.ts",
  "packages/core/test/models/sequences-database.test.ts",
  "packages/core/test/models/sequences-jwt.test.ts",
  "compat/authjs/test/adapters-conformance.test.ts",
  "compat/authjs/test/adapters-sign-in.test.ts",
  "compat/authjs/test/email-matrix.test.ts",
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
    projects: Object.entries(projects).map(([name, test]) => ({ test: { name, ...test } })),
    project: "unit",
    exclude: ["**/node_modules/**"],
    environment: "node",
    pool: "forks",
    isolate: false,
    // One more than the cores, because some tests wait for processes and timers.
    maxWorkers: 3,
    // Fewer collections of short-lived objects, and PGlite without optimized WebAssembly, which costs more than it saves.
    execArgv: ["--max-semi-space-size=64", "--liftoff-only"],
    // Processes that tests start compile each module once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    setupFiles: "scripts/test-setup/localhost.ts",
    sequence: { sequencer: SlowFilesFirst },
    // Concurrent tests mostly wait: those of the conformance suite for windows and leases to expire.
    maxConcurrency: 25,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"] },
  },
})
