/** The folder that outlives a run: users, sessions, the secret, the tenant provider's keys. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface DataFolder {
  /** Path of a file in it. */
  getPath(name: string): string
  /** What a file holds that only its owner may read; made at first use. */
  readOrCreate(name: string, make: () => string): string
}

/** Opens the folder, and creates it where it is missing. */
export function openDataFolder(folder: string): DataFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = (name: string) => join(folder, name)
  return {
    getPath: path,
    readOrCreate(name, make) {
      const file = path(name)
      try {
        // Fails when it is there: two that start at once agree on one secret.
        writeFileSync(file, make(), { flag: "wx", mode: 0o600 })
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
      }
      return readFileSync(file, "utf8")
    },
  }
}
