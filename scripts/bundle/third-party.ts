/** The parts of our packages that others wrote: what the bundler adds, and what was copied into the sources. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A part that others wrote. */
export interface ForeignPart {
  readonly name: string
  readonly version: string
  /** The identifier of its licence (SPDX). */
  readonly license: string
  /** What it is here, and its licence. */
  readonly text: string
}

/** What was copied into the sources, by the folder of the package. */
const copiedParts: Readonly<Record<string, readonly ForeignPart[]>> = {
  "packages/pages": [
    {
      name: "simple-icons",
      version: "16.28.0",
      license: "CC0-1.0",
      text: `The paths of most logos come from Simple Icons (https://simpleicons.org), which its authors have dedicated to the
public domain (CC0 1.0 Universal, https://creativecommons.org/publicdomain/zero/1.0/). Those of Google and Microsoft are
the logos of their guidelines for sign-in buttons. The logos are trademarks of their owners.`,
    },
  ],
}

/** Returns the parts that others wrote in a package. */
export function findForeignParts(
  folder: string,
  bundledPackages: readonly string[],
): readonly ForeignPart[] {
  return [...bundledPackages.map(readPackage), ...(copiedParts[folder] ?? [])]
}

/** Writes the licences of the parts, or removes the file if there are none. */
export function writeLicences(folder: string, parts: readonly ForeignPart[]): void {
  const file = join(folder, "THIRD-PARTY-LICENSES.md")
  const sections = parts.map(({ name, version, text }) => `\n## ${name} ${version}\n\n${text}\n`)
  if (sections.length === 0) rmSync(file, { force: true })
  else writeFileSync(file, `# Licences of parts that others wrote\n${sections.join("")}`)
}

function readPackage(name: string): ForeignPart {
  const folder = `node_modules/${name}`
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  const text = readFileSync(`${folder}/LICENSE`, "utf8").trim()
  return { name, version, license, text }
}
