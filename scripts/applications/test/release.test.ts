/** Rehearses a release: from the version to people who install it, with a registry on this machine. */

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { linkPackageManagers } from "../../release/package-managers.ts"
import { type Registry, startRegistry } from "../../release/registry.ts"
import { copyRepository } from "../../release/repository-copy.ts"
import { packRelease, stageTarballs } from "../../release/workflow.ts"
import type { Environment } from "../catalogue.ts"
import { runProgram } from "../command.ts"
import { countSeconds } from "../seconds.ts"
import { testPackageManagers } from "../suites/package-managers.ts"
import { printSeconds } from "../suites/suite.ts"

/** A new one in each run, because package managers keep what they download by its version. */
const version = `1.0.0-rc.${Date.now()}`

let registry: Registry
let repository: string
let tarballs: string
let folder: string
let env: Environment

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-rehearsal-"))
  registry = await startRegistry()
  env = linkPackageManagers(join(folder, "bin"), registry)
  await publishPlaceholder()
  repository = copyRepository()
  tarballs = join(repository, "release")
  await countSeconds("version", () =>
    runProgram(process.execPath, ["scripts/next-version.ts", version, "express"], {
      cwd: repository,
    }),
  )
  await countSeconds("pack", () => packRelease(repository))
})
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]()
  for (const path of [repository, folder]) if (path) rmSync(path, { recursive: true, force: true })
})

printSeconds("release")

test("the lock file of an application has the new version", () => {
  const lock = JSON.parse(
    readFileSync(join(repository, "examples/express/package-lock.json"), "utf8"),
  )
  expect(lock.packages["node_modules/@latchkey/express"].version).toBe(version)
})

// Each package takes a second or two.
const timeout = 300_000

test("the workflow stages what an earlier run has not, and cannot publish", {
  timeout,
}, async () => {
  const options = { cwd: tarballs, env: registry.workflowEnv }
  const held = join(tarballs, `latchkey-pages-${version}.tgz`)
  const stage = () => countSeconds("stage", () => stageTarballs(version, options))
  renameSync(held, join(folder, "held.tgz"))
  expect((await stage()).match(/staged with id/g)).toHaveLength(15)
  renameSync(join(folder, "held.tgz"), held)
  expect((await stage()).match(/staged with id/g)).toHaveLength(1)
  expect(await viewTags()).toEqual({ latest: "0.0.0" })
  const publish = runProgram("npm", ["publish", held, "--tag", "next"], options)
  await expect(publish).rejects.toThrow("E403")
})

test("a maintainer approves tarballs with the bytes of their own build", { timeout }, async () => {
  const approve = (ownTarballs = "release") =>
    countSeconds("approve", () =>
      runProgram(process.execPath, ["scripts/release/approve.ts", ownTarballs], {
        cwd: repository,
        env: registry.maintainerEnv,
      }),
    )
  const otherBuild = join(folder, "other-build")
  cpSync(tarballs, otherBuild, { recursive: true })
  appendFileSync(join(otherBuild, `latchkey-testing-${version}.tgz`), "\0")
  await expect(approve(otherBuild)).rejects.toThrow("has the checksum")
  expect(await approve()).toContain("16 of 16 packages published now")
  expect(await approve()).toContain("0 of 16 packages published now")
  expect(await viewTags()).toEqual({ latest: "0.0.0", next: version })
})

testPackageManagers(() => ({ version, folder, env }))

/** npm trusts a workflow only for packages that exist. */
async function publishPlaceholder(): Promise<void> {
  const cwd = join(folder, "placeholder")
  mkdirSync(cwd)
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({ name: "@latchkey/core", version: "0.0.0" }),
  )
  await runProgram("npm", ["publish"], { cwd, env: registry.maintainerEnv })
}

async function viewTags(): Promise<unknown> {
  const args = ["view", "@latchkey/core", "dist-tags", "--json", "--prefer-online"]
  return JSON.parse(await runProgram("npm", args, { cwd: folder, env: registry.env }))
}
