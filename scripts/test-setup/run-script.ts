import { execFileSync } from "node:child_process"
import { resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")

/** Runs a Node.js program in the root folder. Its output goes to standard error: reporters use the standard output. */
export function runScript(file: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [file, ...args], { cwd: root, stdio: ["ignore", 2, 2] })
}
