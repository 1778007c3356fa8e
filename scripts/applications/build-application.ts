/**
 * Installs and builds applications in their own folders, as their users do: from the packed packages, with
 * `npm ci` and `npm run build`. Skips steps whose inputs have not changed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { openBuildFolder } from "./build-folder.ts"
import { type Application, type ApplicationAddress, sourceFolders } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { collectFiles, type FileMap, hashFiles, writeFiles } from "./overlay-files.ts"
import { countSeconds } from "./seconds.ts"
import { packedTarballs, unpackPackages } from "./tarballs.ts"
import { addProbeDependencies, collectProbeFiles, collectProcessFiles } from "./test-overlays.ts"

/** The unchanged example, or with the overlay for the behaviour tests or for tests with several processes. */
export type ApplicationVariant = "example" | "probe" | "processes"

/** The overlay of each variant. */
const overlayFiles: Readonly<Record<ApplicationVariant, (application: Application) => FileMap>> = {
  example: () => new Map(),
  probe: collectProbeFiles,
  processes: collectProcessFiles,
}

/** The application to build, and its address. */
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

/** Builds an application, and returns its folder. */
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
    await countSeconds("build", () => runProgram("npm", ["run", "build"], { cwd: folder, env }))
  })
  return folder
}

/** Returns the folder in which an application is installed; the unchanged example is built there, too. */
function installFolderOf({ name }: Application): string {
  return join(buildRoot, name, "example")
}

/** Returns the folder of a build; a build that depends on the origin has one for each. */
function buildFolderOf({ application, variant, address }: BuildOptions): string {
  if (variant === "example") return installFolderOf(application)
  const { hostname } = new URL(address.origin)
  const suffix = application.buildEnv ? `-${hostname}` : ""
  return join(buildRoot, application.name, variant + suffix)
}

/** Installs the dependencies, and returns the hash of their inputs. */
async function installDependencies(application: Application, files: FileMap): Promise<string> {
  const folder = installFolderOf(application)
  const manifests = new Map([...files].filter(([path]) => /^(package.*\.json|\.npmrc)$/.test(path)))
  const state = hashFiles(manifests, process.version)
  await runOncePerState(join(buildRoot, application.name, ".installed-from"), state, async () => {
    rmSync(folder, { recursive: true, force: true })
    writeFiles(files, folder)
    const tarballLink = join(buildRoot, application.name, "packed")
    if (!existsSync(tarballLink)) symlinkSync(packedTarballs.folder, tarballLink)
    await countSeconds("install", () => runProgram("npm", ["ci"], { cwd: folder }))
  })
  return state
}

/** Reuses installed packages with links instead of copies. */
export async function linkDependencies(from: string, to: string): Promise<void> {
  rmSync(join(to, "node_modules"), { recursive: true, force: true })
  const args = ["-a", "--link", join(from, "node_modules"), join(to, "node_modules")]
  await countSeconds("link", () => runProgram("cp", args, { cwd: to }))
}

const pendingBuilds = new Map<string, Promise<void>>()

/** Runs a step unless it has already run for the same state. A failed step runs once per test run. */
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
