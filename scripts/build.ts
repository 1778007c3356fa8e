/**
 * `npm run build`: writes `dist` of all packages. Does nothing if neither sources nor `dist` have changed since the last
 * build, so that every check that needs the build can ask for it.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs"

const hashFile = "node_modules/.cache/build.sha256"
const files = [
  "packages/*/{src,dist}/**",
  "packages/*/{*.{json,ts},THIRD-PARTY-LICENSES.md}",
  "docs/errors/*",
  "scripts/{build,bundle,provider-entries,published-packages}.ts",
  "scripts/bundle/*",
  "{package-lock,tsconfig.base}.json",
]

if (!existsSync(hashFile) || readFileSync(hashFile, "utf8") !== hashFiles()) {
  runNode("scripts/provider-entries.ts")
  runNode("node_modules/@typescript/native/bin/tsc", "-b")
  runNode("scripts/bundle.ts")
  run("npm", "run", "-s", "build", "--workspaces", "--if-present")
  writeFileSync(hashFile, hashFiles())
}
console.log("build: up to date")

function runNode(...args: readonly string[]): void {
  run(process.execPath, ...args)
}

function run(program: string, ...args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: ["ignore", "inherit", "inherit"] })
  } catch {
    process.exit(1) // The program has printed what is wrong.
  }
}

function hashFiles(): string {
  const hash = createHash("sha256")
  for (const file of globSync(files).sort())
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}
