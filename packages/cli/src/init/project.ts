/** Finds out what is in a folder: an application of a framework, or nothing yet. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isOlder } from "../move/required-versions.ts"
import { CommandError } from "../terminal.ts"
import { type Framework, frameworks } from "./framework.ts"

export interface Project {
  readonly folder: string
  /** Undefined if there is none. */
  readonly manifest: Manifest | undefined
  /** The frameworks among its dependencies. */
  readonly frameworks: readonly Framework[]
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
  [member: string]: unknown
}

/** Files that people and tools create before there is an application. */
const unrelatedFile =
  /^(\..*|readme(\..*)?|licen[cs]e(\..*)?|package\.json|.*lock.*|node_modules)$/i

/**
 * Reads a project.
 *
 * @throws CommandError if its files are of no application that can be set up
 */
export function readProject(folder: string): Project {
  const manifest = readManifest(folder)
  const found = manifest ? detectFrameworks(manifest.content) : []
  const files = existsSync(folder) ? readdirSync(folder) : []
  const other = files.find((file) => !unrelatedFile.test(file))
  if (found.length === 0 && other !== undefined) {
    const titles = frameworks.map(({ title }) => title).join(", ")
    const problem = manifest ? `its package.json lists none of ${titles}` : "no package.json"
    throw new CommandError(
      `This folder contains ${other}, but ${problem}. ` +
        "Run the command in the folder of your application, or name a new folder: latchkey init my-app",
    )
  }
  return { folder, manifest, frameworks: found }
}

/** @throws CommandError if the project's version of a framework is too old, or its modules are not ESM */
export function assertSupported({ manifest }: Project, framework: Framework): void {
  const { type, ...content } = manifest?.content ?? {}
  const ranges = listRanges(content)
  for (const [name, oldest] of Object.entries(framework.packages)) {
    const range = ranges[name]
    if (range !== undefined && isOlder(range, oldest)) {
      throw new CommandError(
        `Latchkey needs ${name} ${oldest} or newer, but package.json lists ${range}: update it first.`,
      )
    }
  }
  if (!manifest || type === "module") return
  throw new CommandError(
    `Latchkey consists of ES modules, but package.json has ${type === undefined ? 'no "type"' : `"type": "${type}"`}. ` +
      'Set "type": "module" (npm pkg set type=module), and run the command again.',
  )
}

function detectFrameworks(content: ManifestContent): Framework[] {
  const names = Object.keys(listRanges(content))
  return frameworks.filter(({ packages }) => names.some((name) => name in packages))
}

function listRanges({ dependencies, devDependencies }: ManifestContent): Record<string, string> {
  return { ...devDependencies, ...dependencies }
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json")
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, "utf8")
  try {
    return { text, content: JSON.parse(text) }
  } catch (cause) {
    throw new CommandError(`${file} is not valid JSON: correct it first.`, { cause })
  }
}
