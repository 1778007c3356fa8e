import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readExports } from "../published-packages.ts"

/** A value of `exports` or `imports`: a path, or one for each condition. */
type ManifestTarget = string | { readonly [condition: string]: ManifestTarget }

/** Returns the files that a manifest names in `exports`, `imports` and `bin`, as paths relative to `dist`. */
export function listTargets(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const { imports = {}, bin = {} } = manifest
  return [readExports(folder), imports, bin]
    .flatMap(listPaths)
    .flatMap((path) => /^(?:\.\/)?dist\/(.+)$/.exec(path)?.slice(1) ?? [])
}

function listPaths(target: ManifestTarget): string[] {
  return typeof target === "string" ? [target] : Object.values(target).flatMap(listPaths)
}

/**
 * Returns the source of each JavaScript file that a manifest names. The keys are the paths in `dist`, without the
 * extension. Files without a source are generated elsewhere.
 */
export function readBuildEntries(folder: string): Record<string, string> {
  const names = listTargets(folder).flatMap((path) => /^(.+)\.js$/.exec(path)?.slice(1) ?? [])
  const entries = names.map((name) => [name, join("src", `${name}.ts`)] as const)
  return Object.fromEntries(entries.filter(([, source]) => existsSync(join(folder, source))))
}
