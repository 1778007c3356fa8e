/** Finds and loads the module that exports a configuration. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createErrorFinding, describeError, type Finding, joinNames } from "./finding.ts"

/** Candidates if the command line names no file. */
const defaultFiles = ["", "src/", "src/lib/", "src/server/", "app/", "lib/", "server/"].flatMap(
  (folder) =>
    ["auth.config", "auth"].flatMap((name) =>
      ["ts", "mts", "js", "mjs"].map((ending) => `${folder}${name}.${ending}`),
    ),
)

/** Candidates if the command line names no export. */
const defaultExportNames = ["default", "authConfig", "config", "authOptions"]

/** The exported configuration, or the reason why there is none. */
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
      "No configuration found.",
      `Pass the path of the file, such as ${defaultFiles[0]}.`,
    )
  }
  if (!existsSync(file)) {
    return createLoadFailure(
      "file-missing",
      `The file ${file} does not exist.`,
      "Pass the path of the configuration.",
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
  "Its imports and top-level statements must also work outside the framework. " +
  "Move the configuration to a separate file, and import `defineConfig` from @latchkey/core."

function diagnoseImportError(file: string, error: unknown): LoadResult {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return createLoadFailure(
      "typescript-unsupported",
      `Node.js ${process.version} cannot run TypeScript: ${file}.`,
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
    `${file} cannot be loaded: ${describeError(error)}`,
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
      `Export the configuration, or pass the name with --export. ${file} exports: ${joinNames(Object.keys(module))}`,
    )
  }
  const config: unknown = typeof value === "function" ? await callConfigFunction(value) : value
  if (typeof config !== "object" || config === null) {
    return createLoadFailure(
      "export-unusable",
      `The export ${name} of ${file} is not a configuration, but ${config === null ? "null" : typeof config}.`,
      "Export the object that you pass to the library.",
    )
  }
  if ("handle" in config && "basePath" in config && !("providers" in config)) {
    return createLoadFailure(
      "export-compiled",
      `The export ${name} of ${file} is the result of createAuth, which cannot be checked.`,
      "Export the configuration as well: export const authConfig = {…}; export const auth = createAuth(authConfig).",
    )
  }
  if (!("providers" in config)) {
    return createLoadFailure(
      "providers-missing",
      `The export ${name} of ${file} has no \`providers\`. It has: ${joinNames(Object.keys(config))}`,
      "Add providers: […], even if it is empty, and export the object that you pass to the library.",
    )
  }
  return { kind: "loaded", file, config }
}

/** Some frameworks accept a function of the request, which mostly reads environment variables. */
async function callConfigFunction(createConfig: object): Promise<unknown> {
  const get = (name: string): string | undefined => process.env[name]
  return (createConfig as (event: object) => unknown)({
    env: { get },
    platform: { env: process.env },
  })
}
