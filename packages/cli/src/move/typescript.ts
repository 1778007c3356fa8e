/** TypeScript's parser, of the version that the project uses. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { CommandError } from "../terminal.ts"

export type TypeScript = typeof import("typescript")

/**
 * Loads the project's own TypeScript, else the one that is installed beside this package.
 *
 * @throws CommandError if neither has the compiler API; TypeScript 7.0 does not
 */
export function loadTypeScript(folder: string, fallback: string = import.meta.url): TypeScript {
  for (const base of [join(folder, "package.json"), fallback]) {
    const typescript = tryLoad(base)
    if (typescript) return typescript
  }
  throw new CommandError(
    `Found no TypeScript 5 or 6, whose parser this command needs, in ${join(folder, "node_modules")}. ` +
      "Install the packages of the project first, or run: " +
      "npx --package @latchkey/cli --package typescript@6 latchkey move",
  )
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
