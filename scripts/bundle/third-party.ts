/** Third-party components in our packages: code that the bundler adds, and logos in the sources. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A component with its own licence. */
export interface ThirdPartyComponent {
  readonly name: string
  readonly version: string
  /** The identifier of its licence (SPDX). */
  readonly license: string
  /** Its licence, and how it is used. */
  readonly text: string
}

/** Components that were copied into the sources, by the folder of the package. */
const copiedParts: Readonly<Record<string, readonly ThirdPartyComponent[]>> = {
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

/** Returns the third-party components of a package. */
export function findThirdPartyComponents(
  folder: string,
  bundledPackages: readonly string[],
): readonly ThirdPartyComponent[] {
  return [...bundledPackages.map(readPackage), ...(copiedParts[folder] ?? [])]
}

/** Writes the licences of components, or removes the file if there are none. */
export function writeLicences(folder: string, parts: readonly ThirdPartyComponent[]): void {
  const file = join(folder, "THIRD-PARTY-LICENSES.md")
  const sections = parts.map(({ name, version, text }) => `\n## ${name} ${version}\n\n${text}\n`)
  if (sections.length === 0) rmSync(file, { force: true })
  else writeFileSync(file, `# Licences of third-party components\n${sections.join("")}`)
}

function readPackage(name: string): ThirdPartyComponent {
  const folder = `node_modules/${name}`
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  const text = readFileSync(`${folder}/LICENSE`, "utf8").trim()
  return { name, version, license, text }
}
