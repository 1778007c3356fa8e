/** Whether the changelog says what is different since the last release. */
import { execFileSync } from "node:child_process"

/**
 * Compares a folder of reports with that of the last release, which is the newest tag such as `v1.2.3`. Before the first
 * release, there is nothing to compare.
 *
 * @returns the problem; undefined if the reports are the same, or the changelog has become longer
 */
export function findUnannouncedChange(folder: string, repository = "."): string | undefined {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim()
  // The setting makes `v1.0.0` newer than `v1.0.0-rc.1`.
  const newestFirst = ["-c", "versionsort.suffix=-", "tag", "--sort=-version:refname"]
  const [tag] = git(...newestFirst, "--list", "v*", "--merged", "HEAD").split("\n")
  if (!tag || git("diff", "--name-only", tag, "--", folder) === "") return undefined
  const [, added = "0"] = /^(\d+)/.exec(git("diff", "--numstat", tag, "--", "CHANGELOG.md")) ?? []
  if (Number(added) > 0) return undefined
  return `CHANGELOG.md says nothing of what is different in ${folder} since ${tag}.`
}
