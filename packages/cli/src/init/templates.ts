/** Reads the files that `latchkey init` writes. They are in the folder `templates` of the package. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, posix, sep } from "node:path"
import { packageFolder } from "../package-folder.ts"

/** Texts by their paths, which have slashes on every system. */
export type FileTexts = ReadonlyMap<string, string>

const templateFolder = join(packageFolder, "templates")

/** These have no dot in the templates: npm leaves some out of packages, and Git ignores others. */
const dotFiles: readonly string[] = ["gitignore", "env.development"]

/** Reads a folder of templates, if there is one. */
export function readTemplates(...parts: readonly string[]): FileTexts {
  const folder = join(templateFolder, ...parts)
  if (!existsSync(folder)) return new Map()
  // Not `withFileTypes`: in the archives of Yarn, its entries do not know their folder.
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join("/"))
  return new Map(
    paths.sort().map((path) => {
      const { dir, base } = posix.parse(path)
      const name = dotFiles.includes(base) ? `.${base}` : base
      return [posix.join(dir, name), readFileSync(join(folder, path), "utf8")]
    }),
  )
}

/** Replaces the extension of relative imports of TypeScript files. */
export function replaceImportExtensions(text: string, extension: string): string {
  return text.replace(/(["']\.{1,2}\/[^"']+)\.tsx?(?=["'])/g, `$1${extension}`)
}
