/** What tests lay over an example. For those of its behaviour: a route, a foreign cookie, all kinds of sign-in. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Application } from "./catalogue.ts"
import { type Files, layered } from "./files.ts"
import { unpack } from "./packed.ts"

/** The files on top of those of the example; a folder of its own where a major differs. */
export function probeFiles({ framework, name }: Application): Files {
  const folders = [`compat/behaviour/${framework}`, `compat/behaviour/${name}`]
  const files = layered([...new Set(folders)].filter((folder) => existsSync(folder)))
  return new Map([
    ...files,
    ["src/auth.config.ts", "compat/behaviour/auth.config.ts"],
    ["database.mjs", "compat/behaviour/database.mjs"],
  ])
}

/** What the tests of many processes lay over the example: many people, and access tokens that are kept fresh. */
export function processFiles({ framework }: Application): Files {
  return layered([`compat/processes/${framework}`])
}

/** Adds the packages that only the probe's configuration needs; those of others from our own installation. */
export function addProbeParts(folder: string): void {
  unpack("sql", folder)
  const { dependencies = {} } = manifestIn(join(folder, "node_modules/@latchkey/sql"))
  const added: Record<string, string> = { "@latchkey/sql": "file:../packed/latchkey-sql.tgz" }
  for (const name of ["nodemailer", "@simplewebauthn/server", ...Object.keys(dependencies)]) {
    copyInstalled(name, folder)
    added[name] = manifestIn(join("node_modules", name)).version
  }
  const own = manifestIn(folder)
  const whole = { ...own, dependencies: { ...own.dependencies, ...added } }
  writeFileSync(join(folder, "package.json"), JSON.stringify(whole, undefined, 2))
}

/** Copies a package and what it depends on; what the application has already stays as it is. */
function copyInstalled(name: string, folder: string): void {
  const place = join("node_modules", name)
  if (existsSync(join(folder, place))) return
  cpSync(place, join(folder, place), { recursive: true })
  const { dependencies = {} } = manifestIn(place)
  for (const needed of Object.keys(dependencies)) copyInstalled(needed, folder)
}

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
}
