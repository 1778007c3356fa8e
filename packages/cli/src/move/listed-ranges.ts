/** The versions in a `package.json`: of dependencies, and of the overrides of npm, pnpm and Yarn. */
import { isObject, type Json } from "./json-edits.ts"

/** A range at its place in the file: of a dependency, or of an override. */
export interface ListedRange {
  readonly path: readonly string[]
  readonly name: string
  readonly range: string
}

const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]

export function listDependencies(manifest: Json): ListedRange[] {
  return sections.flatMap((section) =>
    Object.entries(manifest[section] ?? {}).flatMap(([name, range]) =>
      typeof range === "string" ? [{ path: [section, name], name, range }] : [],
    ),
  )
}

/** Lists overrides, also those that apply only below another package. */
export function listOverrides(manifest: Json): ListedRange[] {
  const pnpm = isObject(manifest["pnpm"]) ? listNested(manifest["pnpm"]["overrides"], "") : []
  return [
    ...prefixPaths(["overrides"], listNested(manifest["overrides"], "")),
    ...prefixPaths(["resolutions"], listNested(manifest["resolutions"], "")),
    ...prefixPaths(["pnpm", "overrides"], pnpm),
  ]
}

const prefixPaths = (prefix: readonly string[], ranges: readonly ListedRange[]): ListedRange[] =>
  ranges.map((each) => ({ ...each, path: [...prefix, ...each.path] }))

function listNested(overrides: unknown, parentName: string): ListedRange[] {
  return Object.entries(isObject(overrides) ? overrides : {}).flatMap(([key, value]) => {
    const name = key === "." ? parentName : parseOverrideKey(key)
    if (typeof value === "string") return [{ path: [key], name, range: value }]
    return prefixPaths([key], listNested(value, name))
  })
}

/** Returns the package of `a@1`, `parent>a`, `parent/a` or `**` + `/a`. */
export function parseOverrideKey(key: string): string {
  return /((?:@[^/@>\s]+\/)?[^/@>\s]+)(?:@[^>/]*)?$/.exec(key)?.[1] ?? key
}
