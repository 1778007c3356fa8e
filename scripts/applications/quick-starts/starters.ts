/** Starters of frameworks. Some download their templates from GitHub. */
import { cpSync } from "node:fs"
import { join } from "node:path"

/** The starters that download their templates, and the folders with the same files. */
const downloadingStarters = new Map([["npm create solid@latest", "compat/starters/solid-start"]])

/**
 * Copies the files that a starter could not download, and returns the folder in which the command ran. On GitHub Actions, that
 * is a failure.
 *
 * @throws the error of the command if it is no such starter, or failed for another reason
 */
export function copyStarterFiles(command: string, folder: string, error: unknown): string {
  const [, program = "", target = ""] = /^(npm create \S+) (\S+)/.exec(command) ?? []
  const files = downloadingStarters.get(program)
  const isOffline = process.env["GITHUB_ACTIONS"] !== "true" && /fetch failed/.test(String(error))
  if (!files || !isOffline) throw error
  console.log(`${program} cannot download its template: the files come from ${files}.`)
  cpSync(files, join(folder, target), { recursive: true })
  return folder
}
