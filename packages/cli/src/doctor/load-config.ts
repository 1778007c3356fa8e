/** Finds and loads the module that holds a configuration. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createErrorFinding, describeError, type Finding, joinNames } from "./finding.ts"

/** What is looked for when no file is named. */
const defaultFiles = ["", "src/", "src/lib/", "src/server/", "app/", "lib/", "server/"].flatMap(
  (folder) =>
    ["auth.config", "auth"].flatMap((name) =>
      ["ts", "mts", "js", "mjs"].map((ending) => `${folder}${name}.${ending}`),
    ),
)

/** Exports that are looked at when none is named. */
const defaultExportNames = ["default", "authConfig", "config", "authOptions"]

/** A configuration as it was written, or why there is none. */
export type LoadResult =
  | { readonly kind: "loaded"; readonly file: string; readonly config: object }
  | { readonly kind: "failed"; readonly finding: Finding }

export async function loadConfig(
  requestedFile: string | undefined,
  exportName: string | undefined,
): Promise<LoadResult> {
  const file = requestedFile ?? defaultFiles.find((place) => existsSync(place))
  if (file === undefined) {
    return createLoadFailure(
      "file-missing",
      "No configuration was found.",
      `Name its file: ${defaultFiles[0]}, say.`,
    )
  }
  if (!existsSync(file)) {
    return createLoadFailure(
      "file-missing",
      `There is no file ${file}.`,
      "Name the file of the configuration.",
    )
  }
  try {
    const module: Record<string, unknown> = await import(pathToFileURL(resolve(file)).href)
    return await readExportedConfig(file, module, exportName)
  } catch (error) {
    return diagnoseImportError(file, error)
  }
}

function createLoadFailure(code: string, what: string, fix: string): LoadResult {
  return { kind: "failed", finding: createErrorFinding(code, what, fix) }
}

const separateFileHint =
  "Its imports and top-level statements have to work outside of the framework, too. " +
  "Keep the configuration in a file of its own, and take `defineConfig` from @latchkey/core."

function diagnoseImportError(file: string, error: unknown): LoadResult {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return createLoadFailure(
      "typescript-unsupported",
      `This Node.js (${process.version}) does not run TypeScript: ${file}.`,
      "Use Node.js 22.18 or newer, or run: node --import tsx node_modules/.bin/latchkey doctor",
    )
  }
  const missing = /Cannot find package '([^']+)'/.exec(describeError(error))?.[1]
  if (code === "ERR_MODULE_NOT_FOUND" && missing !== undefined) {
    return createLoadFailure(
      "package-missing",
      `${file} needs the package ${missing}, which is not installed.`,
      missing.startsWith("$") ? separateFileHint : `npm install ${missing}`,
    )
  }
  return createLoadFailure(
    "file-fails",
    `${file} fails when it is loaded: ${describeError(error)}`,
    separateFileHint,
  )
}

async function readExportedConfig(
  file: string,
  module: Record<string, unknown>,
  exportName: string | undefined,
): Promise<LoadResult> {
  const name = exportName ?? defaultExportNames.find((candidate) => module[candidate] !== undefined)
  const value = name === undefined ? undefined : module[name]
  if (value === undefined) {
    return createLoadFailure(
      "export-missing",
      exportName === undefined
        ? `${file} exports none of ${joinNames(defaultExportNames)}.`
        : `${file} has no export ${exportName}.`,
      `Export the configuration; --export names it. ${file} exports: ${joinNames(Object.keys(module))}`,
    )
  }
  const config: unknown = typeof value === "function" ? await callConfigFunction(value) : value
  if (typeof config !== "object" || config === null) {
    return createLoadFailure(
      "export-unusable",
      `The export ${name} of ${file} is no configuration, but ${config === null ? "null" : typeof config}.`,
      "Export the object that is given to the library.",
    )
  }
  if ("handle" in config && "basePath" in config && !("providers" in config)) {
    return createLoadFailure(
      "export-compiled",
      `The export ${name} of ${file} is what createAuth made, which cannot be looked into.`,
      "Export the configuration, too: export const authConfig = {…}; export const auth = createAuth(authConfig).",
    )
  }
  if (!("providers" in config)) {
    return createLoadFailure(
      "providers-missing",
      `The export ${name} of ${file} has no \`providers\`. It has: ${joinNames(Object.keys(config))}`,
      "Write providers: […], even if it is empty, and export what is given to the library.",
    )
  }
  return { kind: "loaded", file, config }
}

/** Some frameworks take a function of the request; what it reads is mostly the environment. */
async function callConfigFunction(createConfig: object): Promise<unknown> {
  const get = (name: string): string | undefined => process.env[name]
  return (createConfig as (event: object) => unknown)({
    env: { get },
    platform: { env: process.env },
  })
}
