import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findUnannouncedChange } from "../api-report/announcement.ts"

let repository: string

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "latchkey-announcement-"))
  mkdirSync(join(repository, "api"))
  git("init", "--quiet")
  write("api/core.md", "a function")
  write("CHANGELOG.md", "# Changelog\n")
  commit()
})
afterEach(() => rmSync(repository, { recursive: true, force: true }))

const write = (file: string, text: string) => writeFileSync(join(repository, file), text)
const find = () => findUnannouncedChange("api", repository)

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: repository })
}

function commit(): void {
  git("add", "--all")
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
  git(...author, "commit", "--quiet", "--message", "a change")
}

test("before the first release, every change is announced", () => {
  write("api/core.md", "another function")
  expect(find()).toBeUndefined()
})

test("a report that differs from the last release needs a line in the changelog", () => {
  git("tag", "v1.0.0")
  expect(find()).toBeUndefined()
  write("api/core.md", "another function")
  expect(find()).toContain("since v1.0.0")
  commit()
  expect(find()).toContain("since v1.0.0")
  write("CHANGELOG.md", "# Changelog\n\n- Another function.\n")
  expect(find()).toBeUndefined()
})

test("a release is newer than its candidates", () => {
  git("tag", "v1.0.0-rc.1")
  write("api/core.md", "another function")
  commit()
  git("tag", "v1.0.0")
  expect(find()).toBeUndefined()
  write("api/core.md", "a third function")
  expect(find()).toContain("since v1.0.0.")
})

test("the newest tag of a version counts", () => {
  git("tag", "v1.0.0")
  write("api/core.md", "another function")
  commit()
  git("tag", "v1.1.0")
  git("tag", "another-tag")
  expect(find()).toBeUndefined()
  write("api/core.md", "a third function")
  expect(find()).toContain("since v1.1.0")
})
