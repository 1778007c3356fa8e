/** What the measurements were made with. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, cpus, loadavg } from "node:os"
import { dirname, join } from "node:path"

/** The machine, and the versions of everything. */
export interface Machine {
  readonly date: string
  readonly node: string
  readonly processors: number
  readonly processor: string
  /** Processes that wanted to run during the last minute, on average: before the measurements. */
  readonly loadBefore: number
  readonly versions: Readonly<Record<string, string>>
}

/** Looks around. */
export function describeMachine(packages: readonly string[]): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processors: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    versions: Object.fromEntries(packages.map((name) => [name, readPackageVersion(name)])),
  }
}

/** Not every package lets its package.json be imported: it is looked for where the package would be found. */
function readPackageVersion(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  for (const folder of folders) {
    const text = readFileIfExists(join(folder, name, "package.json"))
    if (text !== undefined) return String(JSON.parse(text).version)
  }
  throw new TypeError(`${name} is not installed: run \`npm ci\` in ${dirname(import.meta.dirname)}`)
}

function readFileIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}
