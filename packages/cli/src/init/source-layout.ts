/** Finds out where a project has its sources, in which language, and how it writes imports. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Framework } from "./framework.ts"
import type { Project } from "./project.ts"

export interface SourceLayout {
  /** The folder for the files of Latchkey. */
  readonly prefix: string
  readonly language: ".ts" | ".js"
  /** The extension of relative imports. */
  readonly importExtension: string
}

export function describeSources({ folder, manifest }: Project, framework: Framework): SourceLayout {
  // The templates of frameworks with a build tool begin with `src`, and the tool reads TypeScript in any project.
  if (framework.configFile.startsWith("src/"))
    return { prefix: "", language: ".ts", importExtension: ".ts" }
  const config = readOptional(join(folder, "tsconfig.json"))
  const allowsExtension = /"(?:allowImportingTs|rewriteRelativeImport)Extensions"\s*:\s*true/
  const prefix = existsSync(join(folder, "src")) ? "src" : ""
  const usesTypeScript = config !== "" || manifest?.text.includes('"typescript"')
  if (!usesTypeScript) return { prefix, language: ".js", importExtension: ".js" }
  return { prefix, language: ".ts", importExtension: allowsExtension.test(config) ? ".ts" : ".js" }
}

function readOptional(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}
