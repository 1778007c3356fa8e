/** Applications that `npm create @latchkey` creates in an empty folder. */
import { mkdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { openBuildFolder } from "./build-folder.ts"
import { runProgram } from "./command.ts"
import type { PackageRegistry } from "./package-registry.ts"
import { countSeconds } from "./seconds.ts"

export interface InitializedApplication {
  readonly folder: string
  /** The output of the command. */
  readonly output: string
}

/** Creates an application as users do, and installs it. */
export async function createInitializedApplication(
  { framework }: { readonly framework: string },
  { env }: PackageRegistry,
): Promise<InitializedApplication> {
  const parent = join(openBuildFolder(), "initialized", framework)
  rmSync(parent, { recursive: true, force: true })
  mkdirSync(parent, { recursive: true })
  const options = ["--framework", framework, "--yes", "--no-install"]
  const output = await runProgram(
    "npm",
    ["create", "--yes", "@latchkey", "app", "--", ...options],
    {
      cwd: parent,
      // npm would start the command of an earlier run, which has the same version.
      env: { ...env, npm_config_cache: join(parent, "cache") },
    },
  )
  const folder = join(parent, "app")
  await countSeconds("install", () => runProgram("npm", ["install"], { cwd: folder, env }))
  return { folder, output }
}

/** Runs `latchkey init`, and returns its output. */
export function runInit(folder: string, args: readonly string[]): Promise<string> {
  const command = [resolve("packages/cli/dist/bin.js"), "init", ...args]
  return runProgram(process.execPath, command, { cwd: folder })
}
