/**
 * The bill of materials of a package (CycloneDX): what an installation brings, in the versions of the lock file, with which
 * we build and test. It has no time and no random number, so that building again gives the same bytes.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import type { ThirdPartyComponent } from "./third-party.ts"

/** The part of an entry of `package-lock.json` that is read here. */
interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  /** The folder of a workspace, if it is a link. */
  readonly resolved?: string
  readonly link?: true
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Component {
  readonly "bom-ref": string
  readonly type: "library"
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly unknown[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/** Writes `sbom.cdx.json` into the folder of a package. */
export function writeBillOfMaterials(folder: string, parts: readonly ThirdPartyComponent[]): void {
  const lock: Record<string, LockedPackage> = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  ).packages
  const places = collectPlaces(folder, lock)
  const components = places.map((place) => createComponent(place, lock[place] ?? {}))
  const [root, ...others] = components
  const references = new Map(places.map((place, index) => [place, components[index]?.["bom-ref"]]))
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      // Third-party components are inside of the package itself.
      component: { ...root, ...(parts.length > 0 && { components: parts.map(describePart) }) },
    },
    components: others,
    dependencies: places.map((place) => ({
      ref: references.get(place),
      dependsOn: findDependencies(place, lock).map((each) => references.get(each)),
    })),
  }
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, undefined, 2)}\n`)
}

/** Returns the place of a package in the lock file, and those of all that it brings. */
function collectPlaces(folder: string, lock: Record<string, LockedPackage>): string[] {
  const places = new Set([folder])
  // A set can grow while it is read.
  for (const place of places)
    for (const dependency of findDependencies(place, lock)) places.add(dependency)
  const [root = folder, ...others] = places
  return [root, ...others.sort()]
}

function findDependencies(place: string, lock: Record<string, LockedPackage>): string[] {
  return Object.keys(lock[place]?.dependencies ?? {}).map((name) => findPlace(name, place, lock))
}

/** Looks for a package as Node.js does: in the folder itself, and in those around it. */
function findPlace(name: string, from: string, lock: Record<string, LockedPackage>): string {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder, "node_modules", name)
    const found = lock[place]
    if (found) return found.link && found.resolved ? found.resolved : place
    if (folder === ".") throw new Error(`package-lock.json has no ${name} for ${from}.`)
  }
}

function createComponent(place: string, locked: LockedPackage): Component {
  const name = locked.name ?? place.replace(/^.*node_modules\//, "")
  const { version = "", license, integrity } = locked
  return {
    ...describePart({ name, version, license }),
    ...(integrity && { hashes: [decodeIntegrity(integrity)] }),
  }
}

function describePart({
  name,
  version,
  license,
}: {
  readonly name: string
  readonly version: string
  readonly license?: string | undefined
}): Component {
  const reference = `${name}@${version}`
  return {
    "bom-ref": reference,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${reference.replace(/^@/, "%40")}`,
    ...(license && { licenses: [{ license: { id: license } }] }),
  }
}

/** `sha512-` and Base64, as in a lock file. */
function decodeIntegrity(integrity: string): { alg: string; content: string } {
  const [algorithm = "", digest = ""] = integrity.split("-")
  const alg = algorithm.replace(/^sha/, "SHA-")
  return { alg, content: Buffer.from(digest, "base64").toString("hex") }
}
