/** Packs the packages as for publication, and installs them as a user does. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PublishedPackage, readPublishedPackages } from "../published-packages.ts"
import { runCommand } from "./command.ts"

/** The part of the output of `npm pack --json` that is read here. */
interface PackedTarball {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/**
 * Packs published packages into a folder, which is created if necessary, and returns the paths of the tarballs.
 *
 * @param packages all packages by default
 * @throws Error if a tarball lacks something, or has something else
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

/** Code with its source maps, the pages of `latchkey explain`, and the templates of `latchkey init`. */
const expectedFiles =
  /^(?:(?:dist|src)\/.+\.(?:m?js|ts|svelte|css)(?:\.map)?|dist\/(?:.+\/)?package\.json|dist\/errors\/.+\.md|templates\/.+|THIRD-PARTY-LICENSES\.md)$/
const requiredFiles = ["LICENSE", "README.md", "package.json", "sbom.cdx.json"]

function assertTarballContents(name: string, files: ReadonlySet<string>): void {
  for (const path of requiredFiles) {
    if (!files.has(path)) throw new Error(`The tarball of ${name} lacks ${path}.`)
  }
  if (![...files].some((path) => path.startsWith("dist/") && path.endsWith(".js"))) {
    throw new Error(`The tarball of ${name} has no built code: run npm run build first.`)
  }
  const others = [...files].filter(
    (path) => !requiredFiles.includes(path) && !expectedFiles.test(path),
  )
  if (others.length > 0)
    throw new Error(`The tarball of ${name} must not have ${others.join(", ")}.`)
}

/**
 * Creates an application in a new folder, with the files of `scripts/installable/consumer` and no dependencies.
 * Its manifest prevents npm from using a parent folder.
 */
export function createApplication(folder: string): string {
  cpSync(join(import.meta.dirname, "consumer"), folder, { recursive: true })
  const manifest = { name: "application", private: true, type: "module" }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  return folder
}

/** Installs packages into an application, without options that ignore conflicts. */
export function installPackages(folder: string, packageSpecs: readonly string[]): void {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packageSpecs]
  runCommand("npm", args, { cwd: folder })
}
