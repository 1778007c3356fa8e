/** Moves all files of a project, without writing anything. */
import { posix } from "node:path"
import { listAstroFiles } from "./astro-files.ts"
import { parseJson } from "./json-edits.ts"
import {
  checkWorkspace,
  findObstacle,
  listProjectPackages,
  listsAuthjs,
  moveManifest,
  type PackageVersions,
} from "./manifest.ts"
import { mentionsAuthjs } from "./modules.ts"
import { isParsable, moveSource } from "./move-source.ts"
import { findNuxtObstacle, listNuxtFiles } from "./nuxt.ts"
import type { FileMove, MovedFile, MoveTools, SourceMoves, SourceText } from "./source-file.ts"
import { findSourceLibrary, type SourceLibrary } from "./source-library.ts"
import { applyEdits } from "./text-edits.ts"

/** Returns the files that change, and those with something to change or check by hand. */
export function moveProject(
  files: readonly SourceText[],
  tools: Omit<MoveTools, "keepsAdapter" | "library">,
  versions: PackageVersions,
): FileMove[] {
  const all = files.filter(({ path }) => posix.basename(path) === "package.json")
  const workspaces = files.filter(({ path }) => path.endsWith("pnpm-workspace.yaml"))
  const manifests = all.filter(({ text }) => listsAuthjs(text) || findObstacle(text))
  const findOwnObstacle = (file: SourceText) =>
    findObstacle(file.text) ??
    findNuxtObstacle(
      file,
      files.filter(({ path }) => findManifest(path, manifests) === file),
    )
  const obstacles = manifests.filter((file) => findOwnObstacle(file))
  const packages = listProjectPackages(all.filter((file) => !obstacles.includes(file)))
  const keepsAdapter = packages.listed.some((name) => /^@(next-)?auth\/.+-adapter$/.test(name))
  const sources = files
    .filter((file) => !all.includes(file) && !workspaces.includes(file))
    .flatMap((file) => {
      const manifest = findManifest(file.path, manifests)
      const library = findSourceLibrary(manifest?.text ?? "")
      const isStopped = manifest !== undefined && obstacles.includes(manifest)
      if (isStopped || !mentionsAuthjs(file.text, library)) return []
      const moves = moveSource(file, { ...tools, keepsAdapter, library })
      return [finishSource(file, moves, tools), ...listNewFiles(file, library, files)]
    })
  const movedManifests = all.map((file): FileMove => {
    const obstacle = obstacles.includes(file) ? findOwnObstacle(file) : undefined
    if (obstacle) return { ...file, after: file.text, advice: [obstacle] }
    const own = sources.filter(({ path }) => findManifest(path, manifests) === file)
    const imported = new Set(own.flatMap((source) => listImportedPackages(source)))
    return finishMove(file, moveManifest(file, imported, packages, versions), (text) =>
      Boolean(parseJson(text)),
    )
  })
  const checked = workspaces.map((file) => ({ ...file, ...checkWorkspace(file, packages) }))
  return [...sources, ...movedManifests, ...checked].filter(
    ({ text, after, advice }) => text !== after || advice.length > 0,
  )
}

/** Lists the files that the configuration of an application needs beside it, unless there are others in their places. */
function listNewFiles(
  file: SourceText,
  library: SourceLibrary,
  files: readonly SourceText[],
): FileMove[] {
  if (library === "auth-astro") return listAstroFiles(file, files)
  return library === "nuxt-auth" ? listNuxtFiles(file) : []
}

/** Applies the edits of a source. */
export function finishSource(
  file: SourceText,
  { edits, advice }: SourceMoves,
  tools: Pick<MoveTools, "ts">,
): FileMove {
  return finishMove(file, { after: tryEdits(file.text, edits), advice }, (text) =>
    isParsable({ ...file, text }, tools),
  )
}

/** Leaves a file alone that has another encoding, or that would be broken. */
function finishMove(
  file: SourceText,
  { after, ...move }: Omit<MovedFile, "after"> & { readonly after: string | undefined },
  isValid: (text: string) => boolean,
): FileMove {
  const { text, isUtf8 = true } = file
  if (after === text && move.advice.length === 0) return { ...file, ...move, after }
  const reason = isUtf8 ? brokenAdvice : encodingAdvice
  return !isUtf8 || after === undefined || (after !== text && !isValid(after))
    ? { ...file, after: text, advice: [{ position: 0, text: reason }] }
    : { ...file, ...move, after }
}

/** Returns undefined if edits overlap. */
function tryEdits(text: string, edits: SourceMoves["edits"]): string | undefined {
  try {
    return applyEdits(text, edits)
  } catch {
    return undefined
  }
}

const encodingAdvice =
  "This file is not UTF-8: convert it first, or change its imports of Auth.js by hand."
const brokenAdvice =
  "This command would break the file, which is a mistake of it: change the file by hand, and report the mistake."

/** Returns the manifest in the nearest folder above a source. */
function findManifest(path: string, manifests: readonly SourceText[]): SourceText | undefined {
  const above = manifests.filter((manifest) => {
    const folder = posix.dirname(manifest.path)
    return folder === "." || path.startsWith(`${folder}/`)
  })
  return above.sort((a, b) => b.path.length - a.path.length)[0]
}

/** Lists the packages of Latchkey, and `@auth/core`, that a source imports after the move. */
function listImportedPackages({ after }: FileMove): string[] {
  const packages = /["'](@latchkey\/[\w-]+|@auth\/core)(?:\/[^"']*)?["']/g
  return [...after.matchAll(packages)].map(([, name = ""]) => name)
}
