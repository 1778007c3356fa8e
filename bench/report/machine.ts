/** The machine and the versions that were measured. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, cpus, loadavg } from "node:os"
import { dirname, join } from "node:path"

/** The machine, and the versions of Node.js and all packages. */
export interface Machine {
  readonly date: string
  readonly node: string
  readonly processors: number
  readonly processor: string
  /** The load average of the last minute before the measurements. */
  readonly loadBefore: number
  readonly versions: Readonly<Record<string, string>>
}

/** Reads them. */
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

/** Renders the sentence above the tables. */
export function renderMachine({
  date,
  node,
  processors,
  processor,
  loadBefore,
  versions,
}: Machine): string {
  const list = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`)
  return (
    `Measured on ${date} with Node.js ${node} on ${processors} × ${processor}, ` +
    `load before: ${loadBefore}. ${list.join(", ")}.`
  )
}

/** Finds the manifest of a package, even if its `exports` lack `package.json`. */
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
