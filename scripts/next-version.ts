/**
 * `npm exec -- node scripts/next-version.ts <version> [application…]`: sets the version of all packages, in their manifests
 * and in the lock files of the repository and of all applications that install them, or only of those named. `npm version
 * --workspaces` is not enough: it does not change the versions that the packages require of each other.
 */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { replaceVersion } from "./release/replace-version.ts"

const [version = "", ...applications] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  throw new Error(`Expected a version such as 1.2.3, received "${version}".`)
}
for (const file of globSync("packages/*/package.json")) {
  writeFileSync(file, replaceVersion(readFileSync(file, "utf8"), version))
}
run("npm", "install", "--package-lock-only")
run("npm", "run", "-s", "build")
run(process.execPath, "scripts/pack.ts")
run(process.execPath, "scripts/applications/update-lock-files.ts", ...applications)

function run(program: string, ...args: string[]) {
  execFileSync(program, args, { stdio: "inherit" })
}
