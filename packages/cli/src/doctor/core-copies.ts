/** Finds further copies of the core, which other packages brought. */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { parseJson } from "../move/json-edits.ts"
import type { DoctorContext } from "./doctor-context.ts"
import { createWarningFinding, type Finding } from "./finding.ts"

const core = "@latchkey/core"

export function* checkCoreCopies({ file }: Pick<DoctorContext, "file">): Generator<Finding> {
  const copies = [...findCopies(file)]
  if (copies.length < 2) return
  const list = copies.map((copy) => `${readManifest(copy).version} in ${relative("", copy)}`)
  yield createWarningFinding(
    "core-copies",
    `There are ${copies.length} copies of ${core}: ${list.sort().join(", ")}. Each has symbols and counters of its own.`,
    "Give all @latchkey packages in package.json the same version, then run `npm dedupe`, or that of your package manager.",
  )
}

/** Returns the folders of the copies that the application, its packages and those that they share resolve to. */
function findCopies(file: string): Set<string> {
  const copies = new Set<string>()
  const visited = new Set<string>()
  const visit = (folder: string, names: readonly string[]): void => {
    if (visited.has(folder)) return
    visited.add(folder)
    for (const name of new Set([core, ...names])) {
      const found = findPackage(name, folder)
      if (found === undefined) continue
      const dependencies = listDependencies(found)
      if (name === core) copies.add(found)
      else if (dependencies.some(isOurs) || !found.includes("node_modules"))
        visit(found, dependencies)
    }
  }
  visit(dirname(resolve(file)), listDependencies("."))
  return copies
}

const isOurs = (name: string): boolean => name.startsWith("@latchkey/")

/** Returns the folder of a package as Node.js finds it from another folder. */
export function findPackage(name: string, from: string): string | undefined {
  const parents = createRequire(join(from, "package.json")).resolve.paths(name) ?? []
  const folder = parents
    .map((parent) => join(parent, name))
    .find((each) => existsSync(join(each, "package.json")))
  return folder && realpathSync(folder)
}

function listDependencies(folder: string): readonly string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } =
    readManifest(folder)
  return Object.keys({
    ...dependencies,
    ...devDependencies,
    ...peerDependencies,
    ...optionalDependencies,
  })
}

/** Returns the `package.json` of a folder; an empty object if it cannot be read. */
export function readManifest(folder: string): Record<string, object | undefined> {
  try {
    return Object(parseJson(readFileSync(join(folder, "package.json"), "utf8")))
  } catch {
    return {} // there is none
  }
}
