/** Security case 138: few runtime dependencies, each with a reason, and nothing that runs at installation. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"

interface Manifest {
  name: string
  private?: boolean
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const root = new URL("../../../../", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), "utf8")
const manifestOf = (folder: string): Manifest => JSON.parse(read(`packages/${folder}/package.json`))
const folders = readdirSync(new URL("packages/", root))
const published = folders.map(manifestOf).filter((manifest) => !manifest.private)

test("138 the core has two runtime dependencies", () => {
  expect(Object.keys(manifestOf("core").dependencies ?? {})).toEqual(["jose", "oauth4webapi"])
})

describe.each(published)(
  "138 $name",
  ({ scripts = {}, dependencies = {}, peerDependencies = {} }) => {
    test("runs nothing when it is installed", () => {
      const hooks = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"]
      expect(Object.keys(scripts).filter((name) => hooks.includes(name))).toEqual([])
    })

    test("names a reason for every dependency", () => {
      const reasons = read("docs/dependencies.md")
      const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
      const foreign = names.filter((name) => !name.startsWith("@latchkey/"))
      expect(foreign.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
    })
  },
)

test("138 the lock file pins every package with a checksum", () => {
  const lock: { packages: Record<string, { integrity?: string; link?: boolean }> } = JSON.parse(
    read("package-lock.json"),
  )
  const entries = Object.entries(lock.packages)
  const foreign = entries.filter(([path, { link }]) => path.includes("node_modules/") && !link)
  expect(foreign.length).toBeGreaterThan(50)
  expect(foreign.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
})
