/**
 * Installs and builds applications in folders of their own, as their users would: from the packed packages, with
 * `npm ci` and `npm run build`. What has not changed since is not done again.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { openBuildFolder } from "./build-folder.ts"
import { type Application, type ApplicationAddress, sourceFolders } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { collectFiles, type FileMap, hashFiles, writeFiles } from "./overlay-files.ts"
import { packedTarballs, unpackPackages } from "./tarballs.ts"
import { addProbeDependencies, collectProbeFiles, collectProcessFiles } from "./test-overlays.ts"

/** The example as it is, or with what the tests of its behaviour need, or those of many processes. */
export type ApplicationVariant = "example" | "probe" | "processes"

/** What is laid over the example. */
const overlayFiles: Readonly<Record<ApplicationVariant, (application: Application) => FileMap>> = {
  example: () => new Map(),
  probe: collectProbeFiles,
  processes: collectProcessFiles,
}

/** What to build, and for whom. */
export interface BuildOptions {
  readonly application: Application
  readonly variant: ApplicationVariant
  readonly address: ApplicationAddress
}

const buildRoot = openBuildFolder()

/** Returns the files of an example, with the files of its overlay and the style sheet that all examples share. */
export function collectExampleFiles(application: Application): FileMap {
  const files = collectFiles(sourceFolders(application))
  return new Map([...files, [application.stylesheet, "examples/shared/style.css"]])
}

/** Builds an application, and gives its folder. */
export async function buildApplication(options: BuildOptions): Promise<string> {
  const { application, variant, address } = options
  const example = collectExampleFiles(application)
  const installState = await installDependencies(application, example)
  const folder = buildFolderOf(options)
  const files = new Map([...example, ...overlayFiles[variant](application)])
  const env = application.buildEnv?.(address) ?? {}
  const state = hashFiles(files, installState, packedTarballs.hash(), JSON.stringify(env))
  await runOncePerState(join(folder, ".built-from"), state, async () => {
    writeFiles(files, folder)
    if (variant !== "example") await linkDependencies(installFolderOf(application), folder)
    unpackPackages(folder)
    if (variant === "probe") addProbeDependencies(folder)
    await runProgram("npm", ["run", "build"], { cwd: folder, env })
  })
  return folder
}

/** Where an application is installed; its example is built there, too. */
function installFolderOf({ name }: Application): string {
  return join(buildRoot, name, "example")
}

/** A build that knows its address has a folder for each. */
function buildFolderOf({ application, variant, address }: BuildOptions): string {
  if (variant === "example") return installFolderOf(application)
  const { hostname } = new URL(address.origin)
  const suffix = application.buildEnv ? `-${hostname}` : ""
  return join(buildRoot, application.name, variant + suffix)
}

/** Installs the dependencies, and gives what they were installed from. */
async function installDependencies(application: Application, files: FileMap): Promise<string> {
  const folder = installFolderOf(application)
  const manifests = new Map([...files].filter(([path]) => /^(package.*\.json|\.npmrc)$/.test(path)))
  const state = hashFiles(manifests, process.version)
  await runOncePerState(join(buildRoot, application.name, ".installed-from"), state, async () => {
    rmSync(folder, { recursive: true, force: true })
    writeFiles(files, folder)
    const tarballLink = join(buildRoot, application.name, "packed")
    if (!existsSync(tarballLink)) symlinkSync(packedTarballs.folder, tarballLink)
    await runProgram("npm", ["ci"], { cwd: folder })
  })
  return state
}

/** Takes over what is installed, by links instead of copies. */
async function linkDependencies(from: string, to: string): Promise<void> {
  rmSync(join(to, "node_modules"), { recursive: true, force: true })
  const args = ["-a", "--link", join(from, "node_modules"), join(to, "node_modules")]
  await runProgram("cp", args, { cwd: to })
}

const pendingBuilds = new Map<string, Promise<void>>()

/** Does something unless it was done for the same state before. What fails is tried once in a run. */
async function runOncePerState(
  markerFile: string,
  state: string,
  build: () => Promise<void>,
): Promise<void> {
  if (existsSync(markerFile) && readFileSync(markerFile, "utf8") === state) return
  const key = `${markerFile} ${state}`
  const pendingBuild = pendingBuilds.get(key) ?? build()
  pendingBuilds.set(key, pendingBuild)
  rmSync(markerFile, { force: true })
  await pendingBuild
  pendingBuilds.delete(key)
  mkdirSync(dirname(markerFile), { recursive: true })
  writeFileSync(markerFile, state)
}
