/**
 * Checks each published package as a user would receive it: publint reads the manifest and the
 * packed files, "are the types wrong" resolves every entry the way TypeScript does. Each has the
 * licence of the repository, which npm packs from the package's own folder only.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { publishedPackages } from "./published.ts"

const CHECKS = [
  { tool: "publint", script: "publint/src/cli.js", args: ["--strict"] },
  {
    tool: "attw",
    script: "@arethetypeswrong/cli/dist/index.js",
    args: ["--pack", ".", "--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-color"],
  },
]

const packages = publishedPackages()
const licence = readFileSync("LICENSE", "utf8")
let failures = 0

for (const { folder, name } of packages) {
  for (const { tool, script, args } of CHECKS) {
    const command = [`../../node_modules/${script}`, ...args]
    const run = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" })
    report(run.status === 0, `${name}: ${tool}`, run.stdout + run.stderr)
  }
  const copy = `${folder}/LICENSE`
  const same = existsSync(copy) && readFileSync(copy, "utf8") === licence
  report(same, `${name}: licence`, `${copy} has to be a copy of LICENSE.`)
}
console.log(`publishable: ${packages.length} packages, ${failures} problems`)
process.exitCode = failures > 0 || packages.length === 0 ? 1 : 0

function report(passed: boolean, check: string, details: string): void {
  if (!passed) failures += 1
  console.log(`${passed ? "✓" : "✗"} ${check}`)
  if (!passed) console.error(details)
}
