/** Installs and builds the applications, each in its own folder. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openBuildFolder } from "../../scripts/applications/build-folder.ts"
import {
  type ApplicationAddress,
  findApplication,
  sourceFolders,
} from "../../scripts/applications/catalogue.ts"
import { runProgram } from "../../scripts/applications/command.ts"
import { collectFiles, writeFiles } from "../../scripts/applications/overlay-files.ts"
import { packedTarballs, unpackPackages } from "../../scripts/applications/tarballs.ts"
import { type ApplicationId, type Framework, type FrameworkId, frameworks } from "./catalogue.ts"

/** Returns the example application of a framework, whose packages and settings are used. */
export function findExample(id: FrameworkId) {
  const example = findApplication(id)
  if (!example) throw new TypeError(`There is no example application ${id}`)
  return example
}

/**
 * Builds an application, and returns its folder.
 *
 * @throws Error with the output of the command that failed
 */
export async function buildFrameworkApplication(
  id: FrameworkId,
  applicationId: ApplicationId,
  address: ApplicationAddress,
): Promise<string> {
  const { exampleFiles, authjsPackage }: Framework = frameworks[id]
  const parent = join(openBuildFolder(), `bench-${id}`)
  const folder = join(parent, applicationId)
  const example = findExample(id)
  const kept = [...collectFiles(sourceFolders(example))].filter(([path]) =>
    exampleFiles.some((start) => path.startsWith(start)),
  )
  const own = join(import.meta.dirname, "applications", example.framework)
  const files = collectFiles([join(own, "common"), join(own, applicationId)])
  mkdirSync(parent, { recursive: true })
  writeFiles(new Map([...kept, ...files]), folder)
  if (!existsSync(join(parent, "packed")))
    symlinkSync(packedTarballs.folder, join(parent, "packed"))
  await installDependencies(folder, applicationId === "authjs" ? authjsPackage : undefined)
  unpackPackages(folder)
  const env = example.buildEnv?.(address) ?? {}
  await runProgram("npm", ["run", "build"], { cwd: folder, env })
  return folder
}

/** Installs an application, unless it is installed from the same manifest. */
async function installDependencies(
  folder: string,
  authjsPackage: string | undefined,
): Promise<void> {
  if (authjsPackage !== undefined) addDevDependency(folder, authjsPackage)
  const manifest = readFileSync(join(folder, "package.json"), "utf8")
  const markerFile = join(folder, "node_modules/.installed-from")
  if (existsSync(markerFile) && readFileSync(markerFile, "utf8") === manifest) return
  // The packages of Auth.js do not name all frameworks that they run on.
  const args = authjsPackage === undefined ? ["ci"] : ["install", "--legacy-peer-deps"]
  await runProgram("npm", args, { cwd: folder })
  writeFileSync(markerFile, manifest)
}

/** A package that is no dependency is not bundled by every framework. */
function addDevDependency(folder: string, specifier: string): void {
  const file = join(folder, "package.json")
  const manifest = JSON.parse(readFileSync(file, "utf8"))
  const [, name = "", version] = /^(@?[^@]+)@(.+)$/.exec(specifier) ?? []
  manifest.devDependencies[name] = version
  writeFileSync(file, JSON.stringify(manifest, undefined, 2))
}
