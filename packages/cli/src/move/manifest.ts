/** Moves the dependencies in a `package.json`. */
import { findNodeAtLocation, parseTree } from "jsonc-parser"
import { isObject, type Json, parseJson, renameProperty, setProperty } from "./json-edits.ts"
import {
  type ListedRange,
  listDependencies,
  listOverrides,
  parseOverrideKey,
} from "./listed-ranges.ts"
import { movedPackages } from "./modules.ts"
import {
  findOldAuthjsAdvice,
  findRequiredVersion,
  isOlder,
  mayBeOlder,
  oldestBesideNodemailer,
  type ProjectPackages,
} from "./required-versions.ts"
import type { Advice, MovedFile, SourceText } from "./source-file.ts"
import { findSourceLibrary, type SourceLibrary } from "./source-library.ts"

export interface PackageVersions {
  /** The range for packages of Latchkey. */
  readonly latchkey: string
  /** The range for `@auth/core`, if it is not listed yet. */
  readonly authCore: string
}

/** Whether a `package.json` lists a package that Latchkey replaces. */
export function listsAuthjs(text: string): boolean {
  return Object.keys(movedPackages).some((name) => text.includes(`"${name}"`))
}

/** Packages that are built on `@auth/core`: provider objects and types that they receive must stay those of Auth.js. */
const dependentPackages = ["@builder.io/qwik-auth", "@convex-dev/auth"]

/** Returns what stops the move of a package; undefined if nothing does, or it lists a framework package of Auth.js. */
export function findObstacle(text: string): Advice | undefined {
  const [solidStart] = /"solid-start":|"@solidjs\/start":\s*"[~^]?0\./.exec(text) ?? []
  if (solidStart && text.includes(`"@auth/solid-start":`))
    return { position: text.indexOf(solidStart), text: solidStartAdvice }
  const frameworks = Object.keys(movedPackages).filter((name) => name !== "@auth/core")
  if (frameworks.some((name) => text.includes(`"${name}":`))) return undefined
  const name = dependentPackages.find((dependent) => text.includes(`"${dependent}":`))
  if (name === undefined) return undefined
  return {
    position: text.indexOf(`"${name}":`),
    text: `${name} is built on Auth.js, and Latchkey has no counterpart: everything in this folder stays as it is.`,
  }
}

const solidStartAdvice =
  "This is SolidStart 0.x, and @latchkey/solid-start needs SolidStart 1 or 2 (@solidjs/start), whose files and " +
  "routes differ: update SolidStart first. Everything in this folder stays as it is."

/** Lists the names of the dependencies in the manifests of a project, and which of them Latchkey replaces. */
export function listProjectPackages(manifests: readonly SourceText[]): ProjectPackages {
  const dependencies = manifests.flatMap(({ text }) => listDependencies(parseJson(text) ?? {}))
  const listed = [...new Set(dependencies.map(({ name }) => name))]
  return { listed, replaced: listed.filter((name) => name in movedPackages) }
}

/**
 * Returns a `package.json` after the move, and what to check in it.
 *
 * @param imported the packages that the moved sources import
 */
export function moveManifest(
  { text }: SourceText,
  imported: ReadonlySet<string>,
  packages: ProjectPackages,
  versions: PackageVersions,
): MovedFile {
  const manifest = parseJson(text)
  if (!manifest) return { after: text, advice: listsAuthjs(text) ? [invalidAdvice] : [] }
  const dependencies = listDependencies(manifest)
  const authjs = dependencies.filter(({ name }) => name in movedPackages)
  const moved = authjs.filter(({ name }) => name !== "@auth/core" || !imported.has(name))
  const staying = authjs.length === 0 ? [] : dependencies.filter((each) => !moved.includes(each))
  const overrides = listOverrides(manifest)
  const required = [...staying, ...overrides].map((each) => requireVersion(each, packages))
  const kept = new Set([...staying.map(({ name }) => name), ...imported])
  let after = renameAdapters(text, dependencies)
  after = replacePackages(after, moved, {
    manifest,
    kept,
    versions,
    library: findSourceLibrary(text),
  })
  after = addPackages(after, moved[0] ?? authjs[0], { imported, packages, versions })
  const references = overrides.map((each) => resolveReference(each, moved))
  for (const { path, range } of [...required, ...references])
    if (range !== undefined) after = setProperty(after, path, range)
  const advised = [
    ...required,
    ...moved.map(({ name, path, range }) => ({ path, advice: findOldAuthjsAdvice(name, range) })),
    ...moved
      .filter(({ name }) => name === "@sidebase/nuxt-auth")
      .map(({ path }) => ({ path, advice: nuxtSessionAdvice })),
    ...staying.map((each) => ({ path: each.path, advice: advisePasskeys(each, kept) })),
  ]
  const tree = parseTree(text)
  const advice = advised.flatMap(({ path, advice: sentence }) => {
    const position = (tree && findNodeAtLocation(tree, [...path])?.parent?.offset) ?? 0
    return sentence === undefined ? [] : [{ position, text: sentence }]
  })
  return { after, advice, needsUpdate: required.some((each) => each.advice !== undefined) }
}

const nuxtSessionAdvice =
  "Users sign in once more: the session of NextAuth.js 4 is in another cookie."

const invalidAdvice: Advice = {
  position: 0,
  text: "This file is not valid JSON: change its dependencies by hand.",
}

/** Lists what to check in a `pnpm-workspace.yaml`, whose overrides and catalogs this command does not change. */
export function checkWorkspace({ text }: SourceText, packages: ProjectPackages): MovedFile {
  const lines = text.matchAll(/^[ \t]+(["']?)(\S+)\1:[ \t]*["']?([^"'\s#]+)/gm)
  const advice = [...lines].flatMap(({ index, 2: key = "", 3: range = "" }) => {
    const name = parseOverrideKey(key)
    const oldest = findRequiredVersion(name, packages)?.oldest
    if (oldest === undefined || !isOlder(range, oldest)) return []
    return [{ position: index, text: `${name} ${range} is too old: write ^${oldest}.` }]
  })
  return { after: text, advice }
}

/** Raises a version that Latchkey, or what stays beside it, does not support. */
function requireVersion(
  { path, name, range }: ListedRange,
  packages: ProjectPackages,
): { readonly path: readonly string[]; readonly range?: string; readonly advice?: string } {
  const { oldest, reason } = findRequiredVersion(name, packages) ?? {}
  if (oldest === undefined || range.startsWith("$")) return { path }
  if (isOlder(range, oldest)) {
    const advice = `${name} ${range} becomes ^${oldest}, the oldest version that ${reason}. Try what uses it.`
    return { path, range: `^${oldest}`, advice }
  }
  if (range === "latest" || !mayBeOlder(range, oldest)) return { path }
  return { path, advice: `${name} ${range} has to be ${oldest} or newer, which ${reason}.` }
}

/** Replaces `$@auth/core`, which npm refuses if the dependency is gone, with its version. */
function resolveReference(
  { path, range }: ListedRange,
  moved: readonly ListedRange[],
): { readonly path: readonly string[]; readonly range: string | undefined } {
  return { path, range: moved.find(({ name }) => range === `$${name}`)?.range }
}

function advisePasskeys({ name }: ListedRange, kept: ReadonlySet<string>): string | undefined {
  if (name !== "@simplewebauthn/server" || !kept.has("@auth/core")) return undefined
  return (
    "@auth/core, which stays, asks for version 9, so npm stops with ERESOLVE. Add to package.json: " +
    `"overrides": { "@auth/core": { "@simplewebauthn/server": "$@simplewebauthn/server" } }`
  )
}

/** The adapters of NextAuth.js 4 are now those of Auth.js, with the same models. */
function renameAdapters(text: string, dependencies: readonly ListedRange[]): string {
  return dependencies.reduce((before, { name, path: [section = ""] }) => {
    const newName = name.replace(/^@next-auth\/(?=.+-adapter$)/, "@auth/")
    const version = oldestBesideNodemailer.get(newName)
    if (newName === name || version === undefined) return before
    return renameProperty(before, [section, name], newName, `^${version}`)
  }, text)
}

interface Replacement {
  readonly manifest: Json
  readonly kept: ReadonlySet<string>
  readonly versions: PackageVersions
  readonly library: SourceLibrary
}

function replacePackages(
  text: string,
  moved: readonly ListedRange[],
  { manifest, kept, versions, library }: Replacement,
): string {
  return moved.reduce((before, { name, path: [section = ""] }) => {
    const isOfNuxt = library === "nuxt-auth" && name === "next-auth"
    const target = isOfNuxt ? "@latchkey/fetch" : (movedPackages[name]?.to ?? name)
    const listed = listDependencies(parseJson(before) ?? {})
    if (listed.some((each) => each.name === target))
      return setProperty(before, [section, name], undefined)
    const after = renameProperty(before, [section, name], target, versions.latchkey)
    const meta =
      isObject(manifest["peerDependenciesMeta"]) && manifest["peerDependenciesMeta"][name]
    return meta && !kept.has(name)
      ? renameProperty(after, ["peerDependenciesMeta", name], target, meta)
      : after
  }, text)
}

interface Addition {
  readonly imported: ReadonlySet<string>
  readonly packages: ProjectPackages
  readonly versions: PackageVersions
}

/** Adds what the sources import directly, below the anchor; what a built Qwik application imports, to `dependencies`. */
function addPackages(
  text: string,
  anchor: ListedRange | undefined,
  { imported, packages, versions }: Addition,
): string {
  if (!anchor) return text
  const isQwik = anchor.name === "@auth/qwik"
  const names = new Set([...imported, ...(isQwik ? ["@latchkey/core"] : [])])
  return [...names].sort().reduce((before, name) => {
    const dependencies = listDependencies(parseJson(before) ?? {})
    if (dependencies.some((each) => each.name === name)) return before
    const oldest = findRequiredVersion(name, packages)?.oldest
    const authCore = oldest && isOlder(versions.authCore, oldest) ? `^${oldest}` : versions.authCore
    const range = name === "@auth/core" ? authCore : versions.latchkey
    const [section = "", anchorName = ""] = anchor.path
    const isForRuntime = isQwik && name === "@latchkey/core"
    const path = [isForRuntime ? "dependencies" : section, name]
    const anchors = [anchorName, movedPackages[anchorName]?.to ?? anchorName]
    return setProperty(before, path, range, (keys) => {
      const index = keys.findLastIndex((key) => anchors.includes(key))
      return index < 0 ? keys.length : index + 1
    })
  }, text)
}
