/** Moves all files of a project, without writing anything. */
import { posix } from "node:path"
import { findObstacle, listsAuthjs, moveManifest, type PackageVersions } from "./manifest.ts"
import { mentionsAuthjs } from "./modules.ts"
import { type MoveTools, moveSource, type SourceText } from "./move-source.ts"
import type { SourceMoves } from "./source-file.ts"
import { applyEdits } from "./text-edits.ts"

/** A file with what changes in it. */
export interface FileMove extends SourceText, SourceMoves {}

/** Returns the files that change, and those with something to change or check by hand. */
export function moveProject(
  files: readonly SourceText[],
  tools: MoveTools,
  versions: PackageVersions,
): FileMove[] {
  const isManifest = ({ path }: SourceText) => posix.basename(path) === "package.json"
  const manifests = files.filter(
    (file) => isManifest(file) && (listsAuthjs(file.text) || findObstacle(file.text)),
  )
  const sources = files
    .filter((file) => !isManifest(file) && mentionsAuthjs(file.text))
    .filter(({ path }) => !findObstacle(findManifest(path, manifests)?.text ?? ""))
    .map((file) => ({ ...file, ...protectEncoding(file, moveSource(file, tools)) }))
  const movedManifests = manifests.map((file) => {
    const obstacle = findObstacle(file.text)
    if (obstacle) return { ...file, edits: [], advice: [obstacle] }
    const own = sources.filter(({ path }) => findManifest(path, manifests) === file)
    const imported = new Set(own.flatMap((source) => listImportedPackages(source)))
    const moves = moveManifest(tools.ts, file, imported, versions)
    return { ...file, ...protectEncoding(file, moves) }
  })
  return [...sources, ...movedManifests].filter(
    ({ edits, advice }) => edits.length > 0 || advice.length > 0,
  )
}

/** Leaves a file alone whose other characters would be lost if it were written. */
function protectEncoding({ isUtf8 = true }: SourceText, moves: SourceMoves): SourceMoves {
  return isUtf8 ? moves : { edits: [], advice: [{ position: 0, text: encodingAdvice }] }
}

const encodingAdvice =
  "This file is not UTF-8: convert it first, or change its imports of Auth.js by hand."

/** Returns the manifest in the nearest folder above a source. */
function findManifest(path: string, manifests: readonly SourceText[]): SourceText | undefined {
  const above = manifests.filter((manifest) => {
    const folder = posix.dirname(manifest.path)
    return folder === "." || path.startsWith(`${folder}/`)
  })
  return above.sort((a, b) => b.path.length - a.path.length)[0]
}

/** Lists the packages of Latchkey, and `@auth/core`, that a source imports after the move. */
function listImportedPackages({ text, edits }: FileMove): string[] {
  const packages = /["'](@latchkey\/[\w-]+|@auth\/core)(?:\/[^"']*)?["']/g
  return [...applyEdits(text, edits).matchAll(packages)].map(([, name = ""]) => name)
}
