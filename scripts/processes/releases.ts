/** Builds of the Express example with the packages of earlier releases. */
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { linkDependencies } from "../applications/build-application.ts"
import { openBuildFolder } from "../applications/build-folder.ts"
import { runProgram } from "../applications/command.ts"
import { getReleaseFile } from "../upgrades/recording.ts"

const archiveName = "express-example.tgz"

/** Sources and declarations, which nothing loads. */
const excluded = ["*.map", "*.d.ts", "node_modules/@latchkey/*/src", ".built-from", "*.db*"]

/**
 * Records a build with its packages of ours.
 *
 * @throws Error if the release has it already
 */
export async function recordBuild(release: string, folder: string): Promise<void> {
  const archive = getReleaseFile(release, archiveName)
  if (existsSync(archive)) throw new Error(`${archive} exists.`)
  mkdirSync(getReleaseFile(release, ""), { recursive: true })
  const options = excluded.map((pattern) => `--exclude=${pattern}`)
  const files = ["package.json", "dist", "public", "node_modules/@latchkey"]
  await runProgram("tar", ["-czf", archive, ...options, ...files], { cwd: folder })
}

/** Unpacks a recorded build, and returns its folder. Dependencies are those of the current build. */
export async function openBuild(release: string, currentFolder: string): Promise<string> {
  const folder = join(openBuildFolder(), "releases", release)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await linkDependencies(currentFolder, folder)
  rmSync(join(folder, "node_modules/@latchkey"), { recursive: true })
  await runProgram("tar", ["-xzf", getReleaseFile(release, archiveName)], { cwd: folder })
  return folder
}
