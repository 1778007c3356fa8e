/** The version of a release, in the manifests and on the pages. */
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { replaceVersion } from "../release/replace-version.ts"

const manifests = globSync("packages/*/package.json").map((file) => readFileSync(file, "utf8"))
const { version } = JSON.parse(readFileSync("packages/core/package.json", "utf8"))

test("a new version is that of all packages, and the one that they require of each other", () => {
  const replaced = manifests.map((manifest) => replaceVersion(manifest, "98.7.6-next.1"))

  expect(replaced.length).toBeGreaterThan(8)
  expect(new Set(replaced.map((manifest) => JSON.parse(manifest).version))).toEqual(
    new Set(["98.7.6-next.1"]),
  )
  expect(replaced.join("\n")).not.toMatch(new RegExp(`"@latchkey/[\\w-]+": "\\^?${version}"`))
  expect(replaced.join("\n")).toContain('"@latchkey/core": "98.7.6-next.1"')
  expect(replaced.join("\n")).toContain('"@latchkey/core": "^98.7.6-next.1"')
})

test("packages have one version, and require each other in it", () => {
  const required = manifests.flatMap((manifest) => {
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(manifest)
    return Object.entries<string>({ ...dependencies, ...peerDependencies, ...devDependencies })
  })
  const ours = required.filter(([name]) => name.startsWith("@latchkey/"))
  expect(new Set(manifests.map((manifest) => JSON.parse(manifest).version)).size).toBe(1)
  expect(ours.length).toBeGreaterThan(20)
  expect(ours.filter(([, range]) => range.replace("^", "") !== version)).toEqual([])
})

test("a new version changes nothing else in a manifest", () => {
  const restored = manifests.map((manifest) =>
    replaceVersion(replaceVersion(manifest, "98.7.6"), version),
  )
  expect(restored).toEqual(manifests)
})

// An exact version would install a second copy as soon as an application updates one of the packages alone.
test("packages that applications install beside the core accept newer versions of it", () => {
  const pinned = manifests
    .map((manifest) => JSON.parse(manifest))
    .filter(({ dependencies, peerDependencies }) =>
      /^\d/.test({ ...dependencies, ...peerDependencies }["@latchkey/core"]),
    )
  // It runs once, with `npm create`.
  expect(pinned.map(({ name }) => name)).toEqual(["@latchkey/create"])
})

test("the pages name the version of the packages", () => {
  expect(readFileSync("README.md", "utf8")).toContain(`version ${version}`)
  expect(readFileSync("docs/comparison.md", "utf8")).toContain(`| ${version}, `)
})
