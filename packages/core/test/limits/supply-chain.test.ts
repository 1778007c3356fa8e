/** Security case 138: few dependencies, each with a reason, no install scripts, and a release that nobody else can make. */
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
const readText = (path: string): string => readFileSync(new URL(path, root), "utf8")
const readManifest = (folder: string): Manifest =>
  JSON.parse(readText(`packages/${folder}/package.json`))
const folders = readdirSync(new URL("packages/", root))
const publishedManifests = folders.map(readManifest).filter((manifest) => !manifest.private)

test("the core has two runtime dependencies beside its pages, which have one", () => {
  expect(Object.keys(readManifest("core").dependencies ?? {})).toEqual([
    "@latchkey/pages",
    "jose",
    "oauth4webapi",
  ])
  expect(Object.keys(readManifest("pages").dependencies ?? {})).toEqual(["uqr"])
  expect(readManifest("pages").peerDependencies).toBeUndefined()
})

describe.each(publishedManifests)(
  "$name",
  ({ scripts = {}, dependencies = {}, peerDependencies = {} }) => {
    test("has no install scripts", () => {
      const hooks = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"]
      expect(Object.keys(scripts).filter((name) => hooks.includes(name))).toEqual([])
    })

    test("has a documented reason for every dependency", () => {
      const reasons = readText("docs/dependencies.md")
      const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
      const foreign = names.filter((name) => !name.startsWith("@latchkey/"))
      expect(foreign.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
    })
  },
)

describe("the release workflow", () => {
  const [builds = "", stages = ""] = readText(".github/workflows/release.yml").split(
    /^ {2}stage:$/m,
  )

  test("pins each action to a commit", () => {
    const actions = (builds + stages).match(/(?<=uses: ).*/g) ?? []
    expect(actions.length).toBeGreaterThan(3)
    expect(actions.filter((action) => !/^[\w/-]+@[\da-f]{40} # v/.test(action))).toEqual([])
  })

  test("runs no code of the repository or its dependencies where it may stage", () => {
    expect(builds).not.toContain(": write")
    expect(stages).toContain("id-token: write")
    expect(stages).toContain("npm stage publish")
    const withoutNpm = stages.replace(/npm install --global npm@\d+\.\d+\.\d+\n/, "")
    expect(withoutNpm).not.toMatch(/checkout|npx|npm (?:ci|exec|install|run|test)/)
  })

  test("uses no long-lived token", () => {
    expect(builds + stages).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|registry-url:/)
  })
})

test("the lock file pins every package with a checksum", () => {
  const lock: { packages: Record<string, { integrity?: string; link?: boolean }> } = JSON.parse(
    readText("package-lock.json"),
  )
  const entries = Object.entries(lock.packages)
  const foreign = entries.filter(([path, { link }]) => path.includes("node_modules/") && !link)
  expect(foreign.length).toBeGreaterThan(50)
  expect(foreign.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
})
