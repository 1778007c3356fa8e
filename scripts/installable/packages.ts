/** Packs the packages as they would be published, and installs them as a user would. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PublishedPackage, readPublishedPackages } from "../published-packages.ts"
import { runCommand } from "./command.ts"

/** What `npm pack --json` says of a tarball, as far as it matters here. */
interface PackedTarball {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/**
 * Packs published packages into a folder, which is made when it is missing, and gives the paths of the tarballs.
 *
 * @param packages all of them unless some are named
 * @throws Error when the licence or the code is not in one of them
 */
export function packPackages(
  folder: string,
  packages: readonly PublishedPackage[] = readPublishedPackages(),
): string[] {
  mkdirSync(folder, { recursive: true })
  const sources = packages.map((published) => `./${published.folder}`)
  const args = ["pack", "--json", "--pack-destination", folder, ...sources]
  const packedTarballs: PackedTarball[] = JSON.parse(
    runCommand("npm", args, { cwd: process.cwd() }),
  )
  if (packedTarballs.length !== sources.length) {
    throw new Error(
      `npm pack made ${packedTarballs.length} tarballs of ${sources.length} packages.`,
    )
  }
  for (const { name, files } of packedTarballs)
    assertTarballContents(name, new Set(files.map(({ path }) => path)))
  return packedTarballs.map(({ filename }) => join(folder, filename))
}

function assertTarballContents(name: string, files: ReadonlySet<string>): void {
  for (const path of ["LICENSE", "README.md", "package.json"]) {
    if (!files.has(path)) throw new Error(`The tarball of ${name} lacks ${path}.`)
  }
  if (![...files].some((path) => path.startsWith("dist/") && path.endsWith(".js"))) {
    throw new Error(`The tarball of ${name} has no built code: run npm run build first.`)
  }
}

/**
 * Makes an application in a new folder, with the files of `scripts/installable/consumer` and no dependencies.
 * Its manifest keeps npm from taking a folder above for the application's.
 */
export function createApplication(folder: string): string {
  cpSync(join(import.meta.dirname, "consumer"), folder, { recursive: true })
  const manifest = { name: "application", private: true, type: "module" }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  return folder
}

/** Installs into an application, without any of npm's ways to overlook conflicts. */
export function installPackages(folder: string, packageSpecs: readonly string[]): void {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packageSpecs]
  runCommand("npm", args, { cwd: folder })
}
