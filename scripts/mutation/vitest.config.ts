/**
 * The tests that have to notice a broken rule, in Stryker's copy of the repository. Modules stay loaded from one run to
 * the next, so Stryker leaves out what runs only while a module loads (`ignoreStatic`).
 */
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { loadConfigFromFile, mergeConfig, type Plugin } from "vite"
import { defineConfig } from "vitest/config"

const copy = process.cwd()
/** The repository itself: the copy shares its `node_modules`, whose links lead to packages that nobody has broken. */
const repository = join(realpathSync(join(copy, "node_modules/@latchkey/core")), "../..")

const resolveToCopy: Plugin = {
  name: "resolve-to-copy",
  enforce: "pre",
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    const packages = `${repository}/packages/`
    if (!resolved?.id.startsWith(packages)) return resolved
    return { ...resolved, id: `${copy}/packages/${resolved.id.slice(packages.length)}` }
  },
}

const env = { command: "serve", mode: "test" } as const
const loaded = await loadConfigFromFile(env, join(copy, "vitest.config.ts"))

export default mergeConfig(
  loaded?.config ?? {},
  defineConfig({
    plugins: [resolveToCopy],
    test: {
      exclude: [
        "packages/core/test/http/neutral-bundle.test.ts", // what Stryker adds to a module uses `process`
        "packages/core/test/models/**", // takes minutes
      ],
    },
  }),
)
