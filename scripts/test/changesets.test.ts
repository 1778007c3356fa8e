/** The configuration of Changesets, tried on a copy of the manifests. */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const manifests = globSync("packages/*/package.json")

test("a changeset for one package raises the version of all of them", () => {
  const folder = mkdtempSync(join(tmpdir(), "changesets-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ["package.json", ".changeset/config.json", ...manifests]) {
    cpSync(file, join(folder, file))
  }
  writeFileSync(join(folder, "package-lock.json"), "{}") // tells Changesets that npm is used
  writeFileSync(
    join(folder, ".changeset/a-change.md"),
    '---\n"@latchkey/core": minor\n---\n\nA change.\n',
  )
  const changeset = resolve("node_modules/@changesets/cli/bin.js")

  execFileSync(process.execPath, [changeset, "version"], { cwd: folder, stdio: "pipe" })

  const versions = manifests.map((file) => readVersion(join(folder, file)))
  expect(versions.length).toBeGreaterThan(8)
  expect(new Set(versions).size).toBe(1)
  expect(versions[0]).not.toBe(readVersion("packages/core/package.json"))
})

test("the pages name the version of the packages", () => {
  const version = readVersion("packages/core/package.json")
  expect(readFileSync("README.md", "utf8")).toContain(`version ${version}`)
  expect(readFileSync("docs/comparison.md", "utf8")).toContain(`| ${version}, `)
})

function readVersion(file: string): string {
  return JSON.parse(readFileSync(file, "utf8")).version
}
