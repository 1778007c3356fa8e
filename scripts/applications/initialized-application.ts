/** Applications that `latchkey init` creates in an empty folder. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { openBuildFolder } from "./build-folder.ts"
import type { Application } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { packedTarballs } from "./tarballs.ts"

export interface InitializedApplication {
  readonly folder: string
  /** The output of the command. */
  readonly output: string
}

/** Creates an application in an empty folder, and installs it with the packed packages. */
export async function createInitializedApplication({
  framework,
}: Application): Promise<InitializedApplication> {
  const folder = join(openBuildFolder(), "initialized", framework)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const output = await runInit(folder, ["--framework", framework, "--yes", "--no-install"])
  usePackedPackages(folder)
  await runProgram("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: folder,
  })
  return { folder, output }
}

/** Runs `latchkey init`, and returns its output. */
export function runInit(folder: string, args: readonly string[]): Promise<string> {
  const command = [resolve("packages/cli/dist/bin.js"), "init", ...args]
  return runProgram(process.execPath, command, { cwd: folder })
}

/** Replaces the versions of our packages, which are not published. */
function usePackedPackages(folder: string): void {
  const file = join(folder, "package.json")
  const text = readFileSync(file, "utf8").replace(
    /"@latchkey\/([\w-]+)": "\^[\d.]+"/g,
    (_, name) => `"@latchkey/${name}": "file:${packedTarballs.pathOf(name)}"`,
  )
  writeFileSync(file, text)
}
