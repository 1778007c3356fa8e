import { createRequire } from "node:module"
import { dirname } from "node:path"

/** The folder of this package. Modules cannot count folders upwards, because the build puts them into one file. */
export const packageFolder: string = dirname(
  createRequire(import.meta.url).resolve("@latchkey/cli/package.json"),
)
