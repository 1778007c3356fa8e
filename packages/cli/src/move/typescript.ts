/** TypeScript's parser, of the version that the project uses. */
import { execSync } from "node:child_process"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { CommandError, type Terminal } from "../terminal.ts"

export type TypeScript = typeof import("typescript")

/** The package that is downloaded for projects without TypeScript, or with version 7, which has no compiler API. */
const downloadedPackage = "typescript@6"

interface TypeScriptSources {
  /** A file of a folder that may have TypeScript installed. */
  readonly fallback?: string
  readonly terminal: Pick<Terminal, "err">
}

/**
 * Loads the project's own TypeScript, else the one that is installed beside this package, else one that npm downloads
 * into its cache.
 *
 * @throws CommandError if none has the compiler API; TypeScript 7.0 does not
 */
export function loadTypeScript(
  folder: string,
  { fallback = import.meta.url, terminal }: TypeScriptSources,
): TypeScript {
  const installed = tryLoad(join(folder, "package.json")) ?? tryLoad(fallback)
  if (installed) return installed
  terminal.err(
    `This project has no TypeScript 5 or 6: using ${downloadedPackage} to read its files.`,
  )
  const downloaded = downloadTypeScript(folder)
  if (downloaded) return downloaded
  throw new CommandError(
    `npm could not download ${downloadedPackage}, whose parser this command needs. Install it beside this command: ` +
      `npx --package @latchkey/cli --package ${downloadedPackage} latchkey move`,
  )
}

/** Uses the cache of `npx`, so that the project stays as it is. */
function downloadTypeScript(folder: string): TypeScript | undefined {
  // Through a shell, because npm is a script on Windows. The words have no characters that a shell changes.
  const command = `npm exec --yes --package=${downloadedPackage} -- node -p process.env.PATH`
  try {
    const path = execSync(command, { cwd: folder, encoding: "utf8" }).trim()
    const folders = path.split(delimiter).filter((each) => /node_modules[\\/]\.bin$/.test(each))
    return folders.map((each) => tryLoad(join(each, "../../package.json"))).find(Boolean)
  } catch {
    return undefined // npm is missing or offline, and has said so.
  }
}

function tryLoad(base: string): TypeScript | undefined {
  const require = createRequire(base)
  try {
    const module: unknown = require("typescript")
    return isCompilerApi(module) ? module : undefined
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return
    // A version without an entry for `require` has no compiler API.
    if (error instanceof Error && "code" in error && error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
      return
    throw error
  }
}

function isCompilerApi(module: unknown): module is TypeScript {
  return typeof module === "object" && module !== null && "createSourceFile" in module
}
