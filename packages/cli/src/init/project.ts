/** Finds out what is in a folder: an application of a framework, or nothing yet. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseJson } from "../move/json-edits.ts"
import { movedPackages } from "../move/modules.ts"
import { isOlder } from "../move/required-versions.ts"
import { CommandError } from "../terminal.ts"
import { type Framework, frameworks } from "./framework.ts"

export interface Project {
  readonly folder: string
  /** Undefined if there is none. */
  readonly manifest: Manifest | undefined
  /** The frameworks among its dependencies. */
  readonly frameworks: readonly Framework[]
  /** Whether the folder is empty, or does not exist yet. */
  readonly isEmpty: boolean
}

/** A `package.json`. */
export interface Manifest {
  readonly text: string
  readonly content: ManifestContent
}

/** The members that are read and written. */
export interface ManifestContent {
  name?: string
  type?: string
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  overrides?: Record<string, string>
  [member: string]: unknown
}

/** Files that people and tools create before there is an application. */
const unrelatedFile =
  /^(\..*|readme(\..*)?|licen[cs]e(\..*)?|package\.json|.*lock.*|node_modules|desktop\.ini|thumbs\.db)$/i

/**
 * Reads a project.
 *
 * @throws CommandError if its files are of no application that can be set up
 */
export function readProject(folder: string): Project {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new CommandError(
      `${folder} is a file. Name the folder of your application, or a new one.`,
    )
  const manifest = readManifest(folder)
  const found = manifest ? detectFrameworks(manifest.content) : []
  const files = existsSync(folder) ? readdirSync(folder) : []
  const obstacle = found.length === 0 ? findObstacle(manifest, files) : undefined
  if (obstacle !== undefined)
    throw new CommandError(
      `${obstacle}. Run the command in the folder of your application, or name a new folder: ` +
        "npx @latchkey/cli init my-app",
    )
  return { folder, manifest, frameworks: found, isEmpty: files.length === 0 }
}

/** Frameworks that people may expect to be supported. */
const otherFrameworks: Readonly<Record<string, string>> = {
  "react-router": "React Router without @react-router/dev",
  "@nestjs/core": "NestJS",
  fastify: "Fastify",
  koa: "Koa",
}

/** Whether a folder has files that are of no application: a new one needs another folder. */
export function holdsOtherFiles(folder: string): boolean {
  const files = readdirSync(folder)
  return !files.includes("package.json") && files.some((file) => !unrelatedFile.test(file))
}

/** Returns why a folder is no place for a new application; undefined if it is one. */
function findObstacle(manifest: Manifest | undefined, files: string[]): string | undefined {
  const supported = frameworks.map(({ title }) => title).join(", ")
  const other = files.find((file) => !unrelatedFile.test(file))
  if (!manifest) return other && `This folder contains ${other}, but no package.json`
  const packages = listRanges(manifest.content)
  const [, title] = Object.entries(otherFrameworks).find(([name]) => name in packages) ?? []
  if (title !== undefined)
    return `This is an application for ${title}, which this command does not know: it knows ${supported}`
  const name = manifest.content.name ?? "The application in this folder"
  return other && `${name} uses no framework that this command knows: ${supported}`
}

/**
 * Checks versions before anything is written.
 *
 * @param nodeVersion the version of Node.js that will run the application
 * @throws CommandError if a new application would not run with it, the project's version of a framework is too old, its
 *   modules are not ESM, or it uses Auth.js
 */
export function assertSupported(
  { manifest, frameworks: found }: Project,
  framework: Framework,
  nodeVersion: string,
): void {
  const { title, oldestNode, acceptsCommonJs } = framework
  if (found.length === 0 && isOlder(nodeVersion, oldestNode))
    throw new CommandError(
      `A new application for ${title} needs Node.js ${oldestNode} or newer, and this is ${nodeVersion}: update Node.js first.`,
    )
  const { type, ...content } = manifest?.content ?? {}
  const ranges = listRanges(content)
  // `@auth/core` may be there for an adapter.
  const authjs = Object.keys(movedPackages).find((name) => name !== "@auth/core" && name in ranges)
  if (authjs !== undefined)
    throw new CommandError(
      `This application uses ${authjs}. Move it, with its users and sessions: npx @latchkey/cli move`,
    )
  for (const [name, oldest] of Object.entries(framework.packages)) {
    const range = ranges[name]
    if (range !== undefined && isOlder(range, oldest)) {
      throw new CommandError(
        `Latchkey needs ${name} ${oldest} or newer, but package.json lists ${range}: update it first.`,
      )
    }
  }
  if (!manifest || type === "module" || acceptsCommonJs) return
  throw new CommandError(
    `Latchkey consists of ES modules, but package.json has ${type === undefined ? 'no "type"' : `"type": "${type}"`}. ` +
      'Set "type": "module" (npm pkg set type=module), and run the command again.',
  )
}

function detectFrameworks(content: ManifestContent): Framework[] {
  const names = Object.keys(listRanges(content))
  return frameworks.filter(({ packages }) => names.some((name) => name in packages))
}

export function listRanges({
  dependencies,
  devDependencies,
}: ManifestContent): Record<string, string> {
  return { ...devDependencies, ...dependencies }
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json")
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, "utf8")
  const content = parseJson(text)
  // npm refuses members of other types.
  if (content) return { text, content: content as ManifestContent }
  throw new CommandError(`${file} is not valid JSON: correct it first.`)
}
