/** `latchkey explain`: prints the page of the documentation about an error or a warning. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { closestMatch } from "leven"
import { packageFolder } from "../package-folder.ts"
import { CommandError, type Terminal } from "../terminal.ts"

/** The build copies `docs/errors` of the repository into the package. */
const packagedPages = join(packageFolder, "dist/errors")

const missingPageHint =
  "`latchkey explain` without a name lists them. " +
  "A code that only the doctor prints has no page: the line with → below it says how to fix it."

/**
 * Prints a page, or the names of all pages.
 *
 * @param folder the folder of the pages
 * @throws CommandError if there is no page of this name
 */
export function runExplainCommand(
  type: string | undefined,
  { out }: Terminal,
  folder: string = packagedPages,
): number {
  const names = readdirSync(folder).map((file) => file.replace(/\.md$/, ""))
  if (type === undefined) {
    out(names.sort().join("\n"))
    return 0
  }
  const name = names.find((each) => each.toLowerCase() === type.toLowerCase())
  if (name === undefined) {
    const similar = closestMatch(type, names, { maxDistance: 3 })
    const hint = similar === undefined ? missingPageHint : `Did you mean ${similar}?`
    throw new CommandError(`Expected the name of an error or a warning. Received: ${type}. ${hint}`)
  }
  out(toPlainText(readFileSync(join(folder, `${name}.md`), "utf8")))
  return 0
}

/** Removes what only a browser can use: emphasis, and links to other pages. */
function toPlainText(markdown: string): string {
  return markdown
    .replace(/^# /, "")
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]+)\)/g, "$1 ($2)")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("**", "")
    .trim()
}
