/** Finds and loads the module that holds a configuration. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { described, type Finding, listed, wrong } from "./finding.ts"

/** What is looked for when no file is named. */
const places = ["", "src/", "src/lib/", "src/server/", "app/", "lib/", "server/"].flatMap(
  (folder) =>
    ["auth.config", "auth"].flatMap((name) =>
      ["ts", "mts", "js", "mjs"].map((ending) => `${folder}${name}.${ending}`),
    ),
)

/** Exports that are looked at when none is named. */
const exportNames = ["default", "authConfig", "config", "authOptions"]

/** A configuration as it was written, or why there is none. */
export type Loaded =
  | { readonly kind: "loaded"; readonly file: string; readonly written: object }
  | { readonly kind: "failed"; readonly finding: Finding }

export async function load(
  named: string | undefined,
  exportName: string | undefined,
): Promise<Loaded> {
  const file = named ?? places.find((place) => existsSync(place))
  if (file === undefined) {
    return failed(
      "file-missing",
      "No configuration was found.",
      `Name its file: ${places[0]}, say.`,
    )
  }
  if (!existsSync(file)) {
    return failed(
      "file-missing",
      `There is no file ${file}.`,
      "Name the file of the configuration.",
    )
  }
  try {
    const module: Record<string, unknown> = await import(pathToFileURL(resolve(file)).href)
    return await written(file, module, exportName)
  } catch (error) {
    return unloadable(file, error)
  }
}

function failed(code: string, what: string, fix: string): Loaded {
  return { kind: "failed", finding: wrong(code, what, fix) }
}

const apart =
  "Its imports and top-level statements have to work outside of the framework, too. " +
  "Keep the configuration in a file of its own, and take `defineConfig` from @latchkey/core."

function unloadable(file: string, error: unknown): Loaded {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return failed(
      "typescript-unsupported",
      `This Node.js (${process.version}) does not run TypeScript: ${file}.`,
      "Use Node.js 22.18 or newer, or run: node --import tsx node_modules/.bin/latchkey doctor",
    )
  }
  const missing = /Cannot find package '([^']+)'/.exec(described(error))?.[1]
  if (code === "ERR_MODULE_NOT_FOUND" && missing !== undefined) {
    return failed(
      "package-missing",
      `${file} needs the package ${missing}, which is not installed.`,
      missing.startsWith("$") ? apart : `npm install ${missing}`,
    )
  }
  return failed("file-fails", `${file} fails when it is loaded: ${described(error)}`, apart)
}

async function written(
  file: string,
  module: Record<string, unknown>,
  exportName: string | undefined,
): Promise<Loaded> {
  const name = exportName ?? exportNames.find((known) => module[known] !== undefined)
  const value = name === undefined ? undefined : module[name]
  if (value === undefined) {
    return failed(
      "export-missing",
      exportName === undefined
        ? `${file} exports none of ${listed(exportNames)}.`
        : `${file} has no export ${exportName}.`,
      `Export the configuration; --export names it. ${file} exports: ${listed(Object.keys(module))}`,
    )
  }
  const config: unknown = typeof value === "function" ? await called(value) : value
  if (typeof config !== "object" || config === null) {
    return failed(
      "export-unusable",
      `The export ${name} of ${file} is no configuration, but ${config === null ? "null" : typeof config}.`,
      "Export the object that is given to the library.",
    )
  }
  if ("handle" in config && "basePath" in config && !("providers" in config)) {
    return failed(
      "export-compiled",
      `The export ${name} of ${file} is what createAuth made, which cannot be looked into.`,
      "Export the configuration, too: export const authConfig = {…}; export const auth = createAuth(authConfig).",
    )
  }
  if (!("providers" in config)) {
    return failed(
      "providers-missing",
      `The export ${name} of ${file} has no \`providers\`. It has: ${listed(Object.keys(config))}`,
      "Write providers: […], even if it is empty, and export what is given to the library.",
    )
  }
  return { kind: "loaded", file, written: config }
}

/** Some frameworks take a function of the request; what it reads is mostly the environment. */
async function called(make: object): Promise<unknown> {
  const get = (name: string): string | undefined => process.env[name]
  return (make as (event: object) => unknown)({ env: { get }, platform: { env: process.env } })
}
