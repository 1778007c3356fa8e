/**
 * `npm run api` writes the reports in `api`: the names, signatures and formats that a version promises to keep
 * (docs/versioning.md), from the built packages. With `--check`, it fails if one of them differs, and prints how, or if they
 * differ from those of the last release and the changelog has no new line.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { findUnannouncedChange } from "./api-report/announcement.ts"
import { reportDeclarations } from "./api-report/declarations.ts"
import { reportFormats } from "./api-report/formats.ts"
import { reportHttp } from "./api-report/http.ts"
import { readPublishedPackages } from "./published-packages.ts"

const folder = "api"

const isCheck = process.argv.includes("--check")
const reports = new Map([
  [`${folder}/formats.md`, await reportFormats()],
  [`${folder}/http.md`, await reportHttp()],
])
for (const publishedPackage of readPublishedPackages())
  reports.set(
    `${folder}/${basename(publishedPackage.folder)}.md`,
    reportDeclarations(publishedPackage),
  )

mkdirSync(folder, { recursive: true })
const removed = globSync(`${folder}/*.md`).filter((file) => !reports.has(file))
const changed = [...reports].filter(
  ([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text,
)
if (!isCheck) {
  for (const file of removed) rmSync(file)
  for (const [file, text] of changed) writeFileSync(file, text)
} else {
  for (const [file, text] of changed) printDifference(file, text)
  for (const file of removed) console.log(`✗ ${file} describes no package.`)
}
const differenceCount = changed.length + removed.length
const unannounced = isCheck && findUnannouncedChange(folder)
if (unannounced) console.log(`✗ ${unannounced}`)
if (isCheck && differenceCount > 0) {
  console.log(
    "If the change is meant, run npm run api, and say in CHANGELOG.md what users have to do (docs/versioning.md).",
  )
}
const problemCount = differenceCount + (unannounced ? 1 : 0)
if (isCheck && problemCount > 0) process.exitCode = 1
console.log(`api: ${reports.size} reports, ${problemCount} ${isCheck ? "problems" : "written"}`)

function printDifference(file: string, text: string): void {
  const before = existsSync(file) ? file : "/dev/null"
  const args = ["diff", "--no-index", "--unified=2", "--", before, "-"]
  console.log(spawnSync("git", args, { input: text, encoding: "utf8" }).stdout)
}
