/**
 * Finds unused files, exports and dependencies with Knip. Knip is silent when content, so it also has to find a file that
 * really is unused.
 */
import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"

const unusedFile = "scripts/bundle/file-that-nobody-imports.ts"
const knip = ["node_modules/knip/bin/knip.js", "--no-config-hints", "--no-progress"]

writeFileSync(unusedFile, "export const unused: number = 1\n")
let output: string
try {
  const run = spawnSync(process.execPath, knip, { encoding: "utf8" })
  output = run.stdout + run.stderr
} finally {
  rmSync(unusedFile)
}
const lines = output.split("\n").filter((line) => line.trim() !== "")
const problems = lines.filter(
  (line) => !line.includes(unusedFile) && !/^Unused files \(1\)$/.test(line),
)
if (!lines.some((line) => line.includes(unusedFile)))
  problems.push(`Knip overlooked ${unusedFile}.`)
for (const problem of problems) console.error(problem)
console.log(`unused: ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
