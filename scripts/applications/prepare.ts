/**
 * Installs and builds applications in folders of their own, as their users would: from the packed packages, with
 * `npm ci` and `npm run build`. What has not changed since is not done again.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Application, foldersOf, type Place } from "./catalogue.ts"
import { run } from "./command.ts"
import { type Files, fingerprint, lay, layered } from "./files.ts"
import { tarballs, unpackPackages } from "./packed.ts"
import { addProbeParts, probeFiles, processFiles } from "./probe.ts"
import { openWorkshop } from "./workshop.ts"

/** The example as it is, or with what the tests of its behaviour need, or those of many processes. */
export type Variant = "example" | "probe" | "processes"

/** What is laid over the example. */
const filesOnTop: Readonly<Record<Variant, (application: Application) => Files>> = {
  example: () => new Map(),
  probe: probeFiles,
  processes: processFiles,
}

/** What to build, and for whom. */
export interface Wanted {
  readonly application: Application
  readonly variant: Variant
  readonly place: Place
}

const workshop = openWorkshop()

/** Builds an application, and gives its folder. */
export async function prepare(wanted: Wanted): Promise<string> {
  const { application, variant, place } = wanted
  const example = layered(foldersOf(application))
  const isInstalledFrom = await install(application, example)
  const folder = folderOf(wanted)
  const files = new Map([...example, ...filesOnTop[variant](application)])
  const env = application.buildFor?.(place) ?? {}
  const state = fingerprint(files, isInstalledFrom, tarballs.fingerprint(), JSON.stringify(env))
  await once(join(folder, ".built-from"), state, async () => {
    lay(files, folder)
    if (variant !== "example") await shareInstalled(installFolder(application), folder)
    unpackPackages(folder)
    if (variant === "probe") addProbeParts(folder)
    await run("npm", ["run", "build"], { cwd: folder, env })
  })
  return folder
}

/** Where an application is installed; its example is built there, too. */
function installFolder({ name }: Application): string {
  return join(workshop, name, "example")
}

/** A build that knows its address has a folder for each. */
function folderOf({ application, variant, place }: Wanted): string {
  if (variant === "example") return installFolder(application)
  const { hostname } = new URL(place.origin)
  const suffix = application.buildFor ? `-${hostname}` : ""
  return join(workshop, application.name, variant + suffix)
}

/** Installs the dependencies, and gives what they were installed from. */
async function install(application: Application, files: Files): Promise<string> {
  const folder = installFolder(application)
  const manifests = new Map([...files].filter(([path]) => /^(package.*\.json|\.npmrc)$/.test(path)))
  const state = fingerprint(manifests, process.version)
  await once(join(workshop, application.name, ".installed-from"), state, async () => {
    rmSync(folder, { recursive: true, force: true })
    lay(files, folder)
    const packed = join(workshop, application.name, "packed")
    if (!existsSync(packed)) symlinkSync(tarballs.folder, packed)
    await run("npm", ["ci"], { cwd: folder })
  })
  return state
}

/** Takes over what is installed, by links instead of copies. */
async function shareInstalled(from: string, to: string): Promise<void> {
  rmSync(join(to, "node_modules"), { recursive: true, force: true })
  const args = ["-a", "--link", join(from, "node_modules"), join(to, "node_modules")]
  await run("cp", args, { cwd: to })
}

const failed = new Map<string, Promise<void>>()

/** Does something unless it was done for the same state before. What fails is tried once in a run. */
async function once(mark: string, state: string, work: () => Promise<void>): Promise<void> {
  if (existsSync(mark) && readFileSync(mark, "utf8") === state) return
  const key = `${mark} ${state}`
  const doing = failed.get(key) ?? work()
  failed.set(key, doing)
  rmSync(mark, { force: true })
  await doing
  failed.delete(key)
  mkdirSync(dirname(mark), { recursive: true })
  writeFileSync(mark, state)
}
