/** Finds out where a project has its sources, in which language, and how it writes imports. */
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import type { Framework } from "./framework.ts"
import type { Project } from "./project.ts"
import { replaceImportExtensions } from "./templates.ts"

export interface SourceLayout {
  /** Returns the path that a file of a template has in the project. */
  locate(path: string): string
  /** Converts the text of a file to the language of the project. */
  translate(text: string): string
  /** The extension of relative imports. */
  readonly importExtension: string
}

export function describeSources(project: Project, framework: Framework): SourceLayout {
  if (framework.name === "next") return describeNextSources(project)
  // The build tools of other frameworks read TypeScript in any project.
  if (framework.mountCall === undefined)
    return { locate: (path) => path, translate: (text) => text, importExtension: ".ts" }
  const { folder } = project
  const prefix = existsSync(join(folder, "src")) ? "src" : ""
  const [language, importExtension] = usesTypeScript(project)
    ? [".ts", allowsExtension(folder) ? ".ts" : ".js"]
    : [".js", ".js"]
  return {
    locate: (path) => posix.join(prefix, path.replace(/\.ts$/, language)),
    translate: (text) => replaceImportExtensions(text, importExtension),
    importExtension,
  }
}

/** Next.js looks for its folders in the root first, and then in `src`. */
function describeNextSources(project: Project): SourceLayout {
  const has = (path: string) => existsSync(join(project.folder, path))
  const isInRoot = has("app") || has("pages") || !has("src")
  const place = (path: string) => (isInRoot ? path.replace(/^src\//, "") : path)
  if (usesTypeScript(project))
    return { locate: place, translate: (text) => text, importExtension: "" }
  return {
    locate: (path) => place(path).replace(/\.ts(x?)$/, ".js$1"),
    // The types of the layout are the only ones.
    translate: (text) =>
      text.replace(/^import type .*\n\n/m, "").replace(/: \{ children: ReactNode \}/, ""),
    importExtension: "",
  }
}

function usesTypeScript({ folder, manifest }: Project): boolean {
  return existsSync(join(folder, "tsconfig.json")) || !!manifest?.text.includes('"typescript"')
}

function allowsExtension(folder: string): boolean {
  const file = join(folder, "tsconfig.json")
  const option = /"(?:allowImportingTs|rewriteRelativeImport)Extensions"\s*:\s*true/
  return existsSync(file) && option.test(readFileSync(file, "utf8"))
}
