/** Decides what `latchkey init` writes into a project, without writing anything. */
import { existsSync, lstatSync, readFileSync } from "node:fs"
import { basename, join, posix, resolve } from "node:path"
import ignore from "ignore"
import { findProjectFiles } from "../move/project-files.ts"
import { isOlder } from "../move/required-versions.ts"
import { readPackageVersions } from "../move/versions.ts"
import { readVariableNames } from "../secret/env-file.ts"
import { findGitTreatment } from "../secret/secret.ts"
import { CommandError } from "../terminal.ts"
import { adoptLineBreaks } from "../text.ts"
import { adaptTemplates } from "./adapt-templates.ts"
import type { Framework } from "./framework.ts"
import { type LatchkeyPackages, readTarballs } from "./latchkey-packages.ts"
import { createManagerSettings, type Overrides } from "./manager-settings.ts"
import { type ManifestUpdate, updateManifest } from "./manifest.ts"
import type { ManifestContent, Project } from "./project.ts"
import { describeSources } from "./source-layout.ts"
import { type FileTexts, readTemplates, replaceImportExtensions } from "./templates.ts"

/** A file that is created, or replaced if it exists. */
interface PlannedFile {
  readonly path: string
  readonly text: string
  readonly exists: boolean
  /** Describes what is added to a file that exists. */
  readonly note?: string
}

export interface Plan {
  /** In the order in which they are written. */
  readonly files: readonly PlannedFile[]
  /** Whether `.env` gets a secret. */
  readonly addsSecret: boolean
  /** The files that exist with other content, and what they should contain. */
  readonly conflicts: FileTexts
  /** The file with the configuration. */
  readonly configFile: string
  /** The file whose routes people have to mount by hand, if there is one, and how files in its folder import it. */
  readonly routes: { readonly file: string; readonly specifier: string } | undefined
  /** Versions that only the root of the workspace can replace. */
  readonly rootOverrides: Overrides
}

/** A file with one of these uses Latchkey already: it imports a package, or the application's own `auth.ts`. */
const latchkeyPattern =
  /@latchkey\/|locals\.auth\(|server\/utils\/auth\b|["'](?:@\/|(?:\.{1,2}\/)+|routes\/)auth(?:\.server)?(?:\.[jt]s)?["']/

/** Files that get what they lack. All others are created, or left as they are. */
const mergedFiles = ["package.json", ".gitignore"]

export interface PlanOptions {
  /** The version of Node.js that will run the application. */
  readonly nodeVersion: string
  /** The package manager that will install the application. By default, npm. */
  readonly packageManager?: string
  /** Whether the folder is inside a project whose settings the package manager uses. */
  readonly isInWorkspace?: boolean
  /** A folder with tarballs of Latchkey, instead of a registry. */
  readonly tarballs?: string | undefined
}

/** @throws CommandError if a file is a link, or cannot be read */
export function createPlan(
  project: Project,
  framework: Framework,
  { nodeVersion, packageManager = "npm", isInWorkspace = false, tarballs }: PlanOptions,
): Plan {
  const { folder } = project
  const isNew = project.frameworks.length === 0
  const { templates, configFile, routes } = isNew
    ? readApplication(framework, nodeVersion)
    : readAdditions(project, framework)
  const packages: LatchkeyPackages =
    tarballs === undefined
      ? { ranges: () => readPackageVersions(folder).latchkey }
      : readTarballs(tarballs, framework)
  const template: ManifestContent = JSON.parse(templates.get("package.json") ?? "{}")
  const overrides = { ...template.overrides, ...packages.overrides }
  const place = { isNew, isInWorkspace }
  const { members, fileTexts } = createManagerSettings(packageManager, overrides, place)
  const files: PlannedFile[] = []
  const conflicts = new Map<string, string>()
  for (const [path, text] of [...templates, ...fileTexts]) {
    if (mergedFiles.includes(path)) continue
    const current = readIfExists(folder, path)
    if (current === undefined) files.push({ path, text, exists: false })
    else if (adoptLineBreaks(current, text) !== text && !latchkeyPattern.test(current))
      conflicts.set(path, text)
  }
  const update = { framework, packages, template, overrides: members }
  const manifest = planManifest(project, update)
  files.push(...planGitignore(folder, templates), ...manifest)
  return {
    files,
    addsSecret: needsSecret(folder),
    conflicts,
    configFile,
    routes,
    rootOverrides: isInWorkspace ? overrides : {},
  }
}

/** The files for a project, at the paths that they have there. */
interface ProjectTemplates extends Pick<Plan, "configFile" | "routes"> {
  readonly templates: FileTexts
}

function readApplication(
  { name, configFile, stylesheet }: Framework,
  nodeVersion: string,
): ProjectTemplates {
  const styles = [...readTemplates("styles").values()].map((text) => [stylesheet, text] as const)
  const templates = new Map([
    ...readTemplates(name, "auth"),
    ...readTemplates(name, "application"),
    ...styles,
  ])
  if (name !== "express" || !isOlder(nodeVersion, typeScriptSince))
    return { templates, configFile, routes: undefined }
  const javaScript = [...templates].filter(([path]) => path !== "tsconfig.json").map(toJavaScript)
  const scriptFile = configFile.replace(/\.ts$/, ".js")
  return { templates: new Map(javaScript), configFile: scriptFile, routes: undefined }
}

/** The first version of Node.js that runs TypeScript. */
const typeScriptSince = "22.18"

/** Renames the sources of a template that has no type syntax, and drops what only TypeScript needs. */
function toJavaScript([path, text]: [string, string]): [string, string] {
  if (path !== "package.json") {
    const scriptPath = path.replace(/\.ts$/, ".js")
    return [scriptPath, renameConfigFile(replaceImportExtensions(text, ".js"), path, scriptPath)]
  }
  const { devDependencies: _, ...manifest }: ManifestContent = JSON.parse(
    text
      .replaceAll(/\b(server|start)\.ts\b/g, "$1.js")
      .replace("--env-file-if-exists", "--env-file") // Since 22.9
      .replace(typeScriptSince, "20.6"),
  )
  delete manifest.scripts?.["check"]
  return [path, JSON.stringify(manifest)]
}

function readAdditions(project: Project, framework: Framework): ProjectTemplates {
  const { folder } = project
  const { locate, translate, importExtension } = describeSources(project, framework)
  const configFile = locate(framework.configFile)
  const isIntegrated = usesPackage(folder, framework.integration)
  const additions = isIntegrated ? [] : readTemplates(framework.name, "addition")
  const files = new Map([...readTemplates(framework.name, "auth"), ...additions])
  const adapted = adaptTemplates(files, project, framework)
  const templates = [...adapted].map(([path, text]): [string, string] => [
    locate(path),
    renameConfigFile(translate(text), framework.configFile, configFile),
  ])
  const [routes] = [...additions].map(([path]) => ({
    file: locate(path),
    specifier: `./${posix.basename(path, ".ts")}${importExtension}`,
  }))
  return { templates: new Map(templates), configFile, routes }
}

/** Replaces the name of the configuration in the message that it throws. */
function renameConfigFile(text: string, from: string, to: string): string {
  return text.replace(`: ${from} has`, `: ${to} has`)
}

/** Whether a source file imports a package. */
function usesPackage(folder: string, name: string): boolean {
  const isImported = (text: string) => text.includes(`"${name}"`) || text.includes(`'${name}'`)
  return findProjectFiles(folder)
    .filter((path) => !path.endsWith("package.json"))
    .some((path) => isImported(readFileSync(join(folder, path), "utf8")))
}

/** Patterns for files with secrets, and a file that each of them has to cover. */
const secretFiles = [
  [".env", ".env"],
  [".env.local", ".env.local"],
  [".env.*.local", ".env.development.local"],
] as const

function planGitignore(folder: string, templates: FileTexts): PlannedFile[] {
  const path = ".gitignore"
  const text = readIfExists(folder, path)
  const template = templates.get(path)
  if (text === undefined && template !== undefined) return [{ path, text: template, exists: false }]
  const patterns = ignore().add(text ?? "")
  const added = secretFiles
    .filter(([, file]) => !patterns.ignores(file) && findGitTreatment(file, folder) !== "ignored")
    .map(([pattern]) => pattern)
  if (added.length === 0) return []
  const lineBreak = text === undefined || text === "" || text.endsWith("\n") ? "" : "\n"
  const lines = adoptLineBreaks(`${lineBreak}${added.join("\n")}\n`, text ?? "")
  const note = `adds ${added.join(", ")}`
  return [{ path, text: `${text ?? ""}${lines}`, exists: text !== undefined, note }]
}

function planManifest(
  { folder, manifest }: Project,
  update: Omit<ManifestUpdate, "name">,
): PlannedFile[] {
  assertNoLink(folder, "package.json")
  const name = basename(resolve(folder))
  const { text, addedPackages } = updateManifest(manifest, { ...update, name })
  if (text === manifest?.text) return []
  const note = `adds ${addedPackages.join(", ")}`
  return [{ path: "package.json", text, exists: manifest !== undefined, note }]
}

/** The files that the development servers of the frameworks read. */
const envFiles = [".env", ".env.local", ".env.development", ".env.development.local"]

function needsSecret(folder: string): boolean {
  assertNoLink(folder, ".env")
  return !envFiles.some((file) => readVariableNames(join(folder, file)).has("AUTH_SECRET"))
}

function readIfExists(folder: string, path: string): string | undefined {
  assertNoLink(folder, path)
  const file = join(folder, path)
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}

/** @throws CommandError if the file or a folder above it is a link, which may lead out of the project */
function assertNoLink(folder: string, path: string): void {
  const parts = path.split("/")
  for (const index of parts.keys()) {
    const parent = parts.slice(0, index + 1).join("/")
    const isLink = lstatSync(join(folder, parent), { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink)
      throw new CommandError(
        `${parent} is a link. Replace it by what it leads to, so that nothing is written elsewhere.`,
      )
  }
}
