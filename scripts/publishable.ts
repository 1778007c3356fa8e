/**
 * Checks each published package as a user would receive it: publint reads the manifest and the
 * packed files, "are the types wrong" resolves every entry the way TypeScript does. Each has the
 * licence of the repository, which npm packs from the package's own folder only.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { readPublishedPackages } from "./published-packages.ts"

const CHECKS = [
  { tool: "publint", script: "publint/src/cli.js", args: ["--strict"] },
  {
    tool: "attw",
    script: "@arethetypeswrong/cli/dist/index.js",
    args: ["--pack", ".", "--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-color"],
  },
]

const packages = readPublishedPackages()
const licence = readFileSync("LICENSE", "utf8")
let failureCount = 0

for (const { folder, name } of packages) {
  for (const { tool, script, args } of CHECKS) {
    const command = [`../../node_modules/${script}`, ...args]
    const run = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" })
    reportCheck(run.status === 0, `${name}: ${tool}`, run.stdout + run.stderr)
  }
  const copy = `${folder}/LICENSE`
  const isSame = existsSync(copy) && readFileSync(copy, "utf8") === licence
  reportCheck(isSame, `${name}: licence`, `${copy} has to be a copy of LICENSE.`)
}
console.log(`publishable: ${packages.length} packages, ${failureCount} problems`)
process.exitCode = failureCount > 0 || packages.length === 0 ? 1 : 0

function reportCheck(hasPassed: boolean, check: string, details: string): void {
  if (!hasPassed) failureCount += 1
  console.log(`${hasPassed ? "✓" : "✗"} ${check}`)
  if (!hasPassed) console.error(details)
}
