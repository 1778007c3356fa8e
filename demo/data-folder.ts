/** The folder with persistent data: users, sessions, the secret and the tenant provider's keys. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface DataFolder {
  /** Returns the path of a file in the folder. */
  getPath(name: string): string
  /** Returns the content of a file that only its owner can read. Creates the file at first use. */
  readOrCreate(name: string, make: () => string): string
}

/** Opens the folder, and creates it if it does not exist. */
export function openDataFolder(folder: string): DataFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = (name: string) => join(folder, name)
  return {
    getPath: path,
    readOrCreate(name, make) {
      const file = path(name)
      try {
        // Fails if the file exists, so that two processes that start at the same time use the same secret.
        writeFileSync(file, make(), { flag: "wx", mode: 0o600 })
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
      }
      return readFileSync(file, "utf8")
    },
  }
}
