/** Finds and loads the module that exports a configuration. */
import { existsSync } from "node:fs"
import { dirname, extname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createErrorFinding, describeError, type Finding, joinNames } from "./finding.ts"
import { importModule } from "./import-module.ts"
import { readSources } from "./sources.ts"
import { findUnknownEntry } from "./unknown-entry.ts"

/** Candidates if the command line names no file. */
const defaultFiles = [
  "",
  "src/",
  "src/lib/",
  "src/server/",
  "app/",
  "lib/",
  "server/",
  "server/utils/",
].flatMap((folder) =>
  ["auth.config", "auth", "auth.server"].flatMap((name) =>
    ["ts", "mts", "js", "mjs"].map((ending) => `${folder}${name}.${ending}`),
  ),
)

/** Candidates if the command line names no export. */
const defaultExportNames = ["default", "authConfig", "config", "authOptions"]

/** The exported configuration, or the reason why there is none. */
export type LoadResult =
  | { readonly kind: "loaded"; readonly file: string; readonly config: object }
  | { readonly kind: "failed"; readonly file: string; readonly finding: Finding }

export async function loadConfig(
  requestedFile: string | undefined,
  exportName: string | undefined,
): Promise<LoadResult> {
  const file = requestedFile ?? defaultFiles.find((place) => existsSync(place))
  if (file === undefined) return describeMissingFile()
  if (!existsSync(file)) {
    const fix = "Pass the path of the configuration."
    return createLoadFailure(file, "file-missing", `The file ${file} does not exist.`, fix)
  }
  try {
    const module = await importModule(file)
    if (module === "starts-server") return describeEntry(file)
    return await readExportedConfig(file, module, exportName)
  } catch (error) {
    return diagnoseImportError(file, error)
  }
}

/** Looks for the file that contains the configuration. */
function describeMissingFile(): LoadResult {
  const source = readSources().find(({ text }) => /\bdefineConfig\(|@latchkey\/\w+["']/.test(text))
  if (source && /\.listen\(/.test(source.text)) return describeEntry(source.file)
  const fix = source
    ? `Export the configuration there, and run npx @latchkey/cli doctor ${source.file}.`
    : `Pass the path of the file, such as ${defaultFiles[0]}.`
  const what = `No configuration found${source ? `, but ${source.file} uses Latchkey` : ""}.`
  return createLoadFailure(source?.file ?? ".", "file-missing", what, fix)
}

/** Describes a file that cannot be loaded, because this would start the application. */
function describeEntry(file: string): LoadResult {
  const existingFile = defaultFiles.find(
    (place) => resolve(place) !== resolve(file) && existsSync(place),
  )
  const configFile = `auth${extname(file)}`
  return createLoadFailure(
    file,
    "config-in-entry",
    `${file} starts the server, so the doctor cannot load a configuration from it.`,
    existingFile
      ? `Run it for ${existingFile}: npx @latchkey/cli doctor ${existingFile}`
      : `Move the configuration to ${join(dirname(file), configFile)}: export const config = defineConfig({ … }). ` +
          `Import it in ${file}: import { config } from "./${configFile}". Then run the doctor without a file.`,
  )
}

function createLoadFailure(file: string, code: string, what: string, fix: string): LoadResult {
  return { kind: "failed", file, finding: createErrorFinding(code, what, fix) }
}

const separateFileHint =
  "Its imports and top-level statements must also work outside the framework. " +
  "Move the configuration to a separate file, and import `defineConfig` from @latchkey/core."

function diagnoseImportError(file: string, error: unknown): LoadResult {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return createLoadFailure(
      file,
      "typescript-unsupported",
      `Node.js ${process.version} cannot run TypeScript: ${file}.`,
      "Use Node.js 22.18 or newer, or run: node --import tsx node_modules/@latchkey/cli/dist/bin.js doctor",
    )
  }
  const missing = /Cannot find package '([^']+)'/.exec(describeError(error))?.[1]
  if (code === "ERR_MODULE_NOT_FOUND" && missing !== undefined) {
    return createLoadFailure(
      file,
      "package-missing",
      `${file} needs the package ${missing}, which is not installed.`,
      missing.startsWith("$") ? separateFileHint : `npm install ${missing}`,
    )
  }
  const specifier = findUnknownEntry(describeError(error))
  if (specifier !== undefined) {
    return createLoadFailure(
      file,
      "import-missing",
      `${file} imports ${specifier}, which does not exist.`,
      "Correct the import. The providers of Latchkey: docs/providers.md",
    )
  }
  return createLoadFailure(
    file,
    "file-fails",
    `${file} cannot be loaded: ${describeError(error)}`,
    isThrownBy(file, error) ? createThrownErrorHint(file) : separateFileHint,
  )
}

function createThrownErrorHint(file: string): string {
  const hint = `${file} throws this error itself, so your application cannot start either`
  if (process.env["NODE_ENV"]) return `${hint}.`
  return `${hint}, unless it sets NODE_ENV: then run npx @latchkey/cli doctor --development.`
}

/** Whether a statement such as `throw new Error("…")` of the file itself created an error. */
function isThrownBy(file: string, error: unknown): boolean {
  const frame =
    error instanceof Error && error.name === "Error" && /^\s+at .*/m.exec(error.stack ?? "")
  return frame !== false && frame?.[0].includes(pathToFileURL(resolve(file)).href) === true
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
      file,
      "export-missing",
      exportName === undefined
        ? `${file} exports none of ${joinNames(defaultExportNames)}.`
        : `${file} has no export ${exportName}.`,
      `Write export const config = defineConfig({ … }), or pass the name with --export. ${file} exports: ${joinNames(Object.keys(module)) || "nothing"}`,
    )
  }
  const config: unknown = typeof value === "function" ? await callConfigFunction(value) : value
  if (typeof config !== "object" || config === null) {
    return createLoadFailure(
      file,
      "export-unusable",
      `The export ${name} of ${file} is not a configuration, but ${config === null ? "null" : typeof config}.`,
      "Export the object that you pass to the library.",
    )
  }
  if ("handle" in config && "basePath" in config && !("providers" in config)) {
    return createLoadFailure(
      file,
      "export-compiled",
      `The export ${name} of ${file} is the result of createAuth, which cannot be checked.`,
      "Export the configuration as well: export const authConfig = {…}; export const auth = createAuth(authConfig).",
    )
  }
  if (!("providers" in config)) {
    return createLoadFailure(
      file,
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
