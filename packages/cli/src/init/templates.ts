/** Reads the files that `latchkey init` writes. They are in the folder `templates` of the package. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
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
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    files
      .filter((file) => file.isFile())
      .map(({ name, parentPath }) => {
        const parent = parentPath.slice(folder.length).split(sep).join("/")
        const path = posix.join("/", parent, dotFiles.includes(name) ? `.${name}` : name).slice(1)
        return [path, readFileSync(join(parentPath, name), "utf8")]
      }),
  )
}

/** Replaces the extension of relative imports of TypeScript files. */
export function replaceImportExtensions(text: string, extension: string): string {
  return text.replace(/(["']\.{1,2}\/[^"']+)\.tsx?(?=["'])/g, `$1${extension}`)
}
