/** Adds packages, and for a new application everything else, to a `package.json`. */
import { isObject, type Json, setProperty } from "../move/json-edits.ts"
import type { Framework } from "./framework.ts"
import type { LatchkeyPackages } from "./latchkey-packages.ts"
import type { Overrides } from "./manager-settings.ts"
import type { Manifest, ManifestContent } from "./project.ts"

export interface ManifestUpdate {
  readonly framework: Framework
  readonly packages: LatchkeyPackages
  /** The `package.json` of a new application, whose members are added if they are missing. */
  readonly template: ManifestContent
  /** The name of a new application. */
  readonly name: string
  /** By the name of the member, as the package manager wants it. */
  readonly overrides: Readonly<Record<string, Overrides>>
}

/** The text of the file, and the packages that were added. */
export interface UpdatedManifest {
  readonly text: string
  readonly addedPackages: readonly string[]
}

/** Keeps the formatting of what is there, and the names of packages sorted. */
export function updateManifest(
  manifest: Manifest | undefined,
  { framework, packages, template, name, overrides }: ManifestUpdate,
): UpdatedManifest {
  const current: ManifestContent = manifest?.content ?? {}
  const listed = { ...current.dependencies, ...current.devDependencies }
  const { ranges } = packages
  const { overrides: _, ...otherMembers } = template
  const select = (names: readonly string[]) => names.map((each) => [each, ranges(each)])
  const lists = Object.fromEntries(
    (["dependencies", "devDependencies"] as const).map((list) => {
      const wanted = { ...template[list], ...Object.fromEntries(select(framework[list])) }
      return [list, sortMembers(omitMembers(wanted, listed))]
    }),
  )
  const wanted: ManifestContent = {
    ...otherMembers,
    ...(manifest ? {} : { name: toPackageName(name) }),
    ...lists,
    ...overrides,
  }
  const text = Object.entries(wanted).reduce(
    (result, [member, value]) => addMember(result, current, member, value),
    manifest?.text ?? "{}\n",
  )
  return { text, addedPackages: Object.values(lists).flatMap((list) => Object.keys(list)) }
}

/** Adds a member, or what it lacks if it is an object. */
function addMember(text: string, current: Json, member: string, value: unknown): string {
  const existing = current[member]
  if (existing === undefined) {
    const isEmpty = isObject(value) && Object.keys(value).length === 0
    return isEmpty ? text : setProperty(text, [member], value)
  }
  if (!isObject(existing) || !isObject(value)) return text
  return Object.entries(omitMembers(value, existing)).reduce((result, [key, each]) => {
    const findPlace = (keys: string[]) => keys.filter((other) => other < key).length
    const isSorted = member !== "scripts"
    return setProperty(result, [member, key], each, isSorted ? findPlace : undefined)
  }, text)
}

function sortMembers<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))) as T
}

function omitMembers<T extends object>(object: T, omitted: object): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !(name in omitted))) as T
}

/** Converts the name of a folder to one that npm accepts. */
function toPackageName(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9._~-]+/g, "-")
  return name.replace(/^[._-]+|-+$/g, "") || "application"
}
