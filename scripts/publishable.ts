/**
 * Checks each published package as a user would receive it: publint reads the manifest and the
 * packed files, "are the types wrong" resolves every entry the way TypeScript does.
 */
import { spawnSync } from "node:child_process"
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
let failures = 0

for (const { folder, name } of packages) {
  for (const { tool, script, args } of CHECKS) {
    const command = [`../../node_modules/${script}`, ...args]
    const run = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" })
    const passed = run.status === 0
    if (!passed) failures += 1
    console.log(`${passed ? "✓" : "✗"} ${name}: ${tool}`)
    if (!passed) console.error(run.stdout + run.stderr)
  }
}
console.log(`publishable: ${packages.length} packages, ${failures} problems`)
process.exitCode = failures > 0 || packages.length === 0 ? 1 : 0
