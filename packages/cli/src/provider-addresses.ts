/** Reads from the catalogue what providers say about the addresses of their users. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The folder with a file for each provider of `@latchkey/core`. */
export const catalogueFolder: string = join(
  dirname(createRequire(import.meta.url).resolve("@latchkey/core/package.json")),
  "src/providers/catalogue",
)

/** Whether a provider has no addresses, or does not prove those that it has; undefined if it is not in the catalogue. */
export function readAddressNote(id: string): "none" | "unproven" | "proven" | undefined {
  const file = join(catalogueFolder, `${id}.ts`)
  if (!/^[\w-]+$/.test(id) || !existsSync(file)) return undefined
  const [, none, unproven] =
    /Addresses: (?:(none)|(never verified|[^.:;]*does not say))/.exec(readFileSync(file, "utf8")) ??
    []
  return none ? "none" : unproven ? "unproven" : "proven"
}
