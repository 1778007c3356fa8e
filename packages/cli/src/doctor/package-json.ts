import { existsSync, readFileSync } from "node:fs"

/** Returns the text of the `package.json` of the current folder; an empty text if there is none. */
export function readPackageJson(): string {
  return existsSync("package.json") ? readFileSync("package.json", "utf8") : ""
}
