/** Adds packages, and for a new application everything else, to a `package.json`. */
import type { Framework } from "./framework.ts"
import type { Manifest, ManifestContent } from "./project.ts"

export interface ManifestUpdate {
  readonly framework: Framework
  /** The range for packages of Latchkey. */
  readonly range: string
  /** The `package.json` of a new application, whose members are added if they are missing. */
  readonly template?: ManifestContent | undefined
  /** The name of a new application. */
  readonly name: string
}

/** The text of the file, and the packages that were added. */
export interface UpdatedManifest {
  readonly text: string
  readonly addedPackages: readonly string[]
}

type Section = "dependencies" | "devDependencies"

export function updateManifest(
  manifest: Manifest | undefined,
  { framework, range, template = {}, name }: ManifestUpdate,
): UpdatedManifest {
  const current: ManifestContent = manifest?.content ?? { name: toPackageName(name) }
  const content = { ...current, ...omitMembers(template, current) }
  if (template.scripts) content.scripts = { ...template.scripts, ...current.scripts }
  const listed = { ...current.dependencies, ...current.devDependencies }
  const addedPackages: string[] = []
  for (const section of ["dependencies", "devDependencies"] as const) {
    const latchkey = framework[section].map((each) => [each, range])
    const wanted = { ...template[section], ...Object.fromEntries(latchkey) }
    const added = omitMembers(wanted, listed)
    addedPackages.push(...Object.keys(added))
    addPackages(content, section, { ...current[section], ...added })
  }
  const indent = /^[ \t]+/m.exec(manifest?.text ?? "")?.[0] ?? "  "
  const text = `${JSON.stringify(content, null, indent)}\n`
  const isUnchanged = manifest && JSON.stringify(content) === JSON.stringify(current)
  return { text: isUnchanged ? manifest.text : text, addedPackages }
}

/** Package managers keep the names sorted. */
function addPackages(
  content: ManifestContent,
  section: Section,
  packages: Record<string, string>,
): void {
  const entries = Object.entries(packages)
  if (entries.length === 0) return
  content[section] = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function omitMembers<T extends object>(object: T, omitted: object): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !(name in omitted))) as T
}

/** Converts the name of a folder to one that npm accepts. */
function toPackageName(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9._~-]+/g, "-")
  return name.replace(/^[._-]+|-+$/g, "") || "application"
}
