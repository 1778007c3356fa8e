/** The runtimes that the packages are tested on, with the versions that `compat/platforms` and others install. */
import { readFileSync } from "node:fs"

/** Features that some platforms lack: those that `@latchkey/sql` needs, a database, and those that the command needs. */
type Feature = "SQL" | "SQLite" | "latchkey"

export interface Platform {
  readonly name: "Node.js" | "Bun" | "Deno"
  readonly version: string
  /** A pattern for the path of its program. */
  readonly program: string
  readonly parameters: readonly string[]
  readonly unsupported: readonly Feature[]
}

const { dependencies: nodePackages } = readManifest("compat/platforms")
const { bun = "", deno = "" } = readManifest("compat/recipes").dependencies
const { node: usual = "" } = readManifest(".").devDependencies

const nodes = Object.entries(nodePackages).map(([name, range]) =>
  createNode(range.slice(range.lastIndexOf("@") + 1), `compat/platforms/node_modules/${name}`),
)

export const platforms: readonly Platform[] = [
  ...[...nodes, createNode(usual, "node_modules/node")].sort((a, b) =>
    a.version.localeCompare(b.version, "en", { numeric: true }),
  ),
  {
    name: "Bun",
    version: bun,
    program: "compat/recipes/node_modules/@oven/bun-*/bin/bun",
    parameters: [],
    unsupported: [],
  },
  {
    name: "Deno",
    version: deno,
    program: "compat/recipes/node_modules/@deno/*/deno",
    parameters: ["run", "-A", "--node-modules-dir=manual"],
    unsupported: [],
  },
]

function createNode(version: string, folder: string): Platform {
  const isOlder = (other: string) => version.localeCompare(other, "en", { numeric: true }) < 0
  const unsupported: Feature[] = [
    ...(isOlder("22.0.0") ? (["SQL"] as const) : []),
    ...(isOlder("22.16.0") ? (["SQLite"] as const) : []),
    ...(isOlder("20.12.0") ? (["latchkey"] as const) : []),
  ]
  return { name: "Node.js", version, program: `${folder}/bin/node`, parameters: [], unsupported }
}

function readManifest(
  folder: string,
): Record<"dependencies" | "devDependencies", Record<string, string>> {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
}
