/** Runs the package manager of a project. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CommandError } from "./terminal.ts"

/** Package managers are scripts there. */
const isWindows = process.platform === "win32"

const lockFiles = {
  npm: ["package-lock.json"],
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  bun: ["bun.lock", "bun.lockb"],
} as const

/**
 * Returns the package manager whose lock file is in the folder; else `fallback`.
 *
 * @param fallback the name in `npm_config_user_agent`, if this command was started by a package manager
 */
export function findPackageManager(folder: string, fallback = "npm"): string {
  const found = Object.entries(lockFiles).find(([, files]) =>
    files.some((file) => existsSync(join(folder, file))),
  )
  return found?.[0] ?? fallback
}

/** Returns the package manager that started this command, such as `pnpm` for `pnpm create`. */
export function findCallingPackageManager(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = env["npm_config_user_agent"]?.split("/", 1)[0] ?? ""
  return name in lockFiles ? name : undefined
}

/** @throws CommandError if the installation fails */
export function installPackages(packageManager: string, folder: string): void {
  const options = { cwd: folder, stdio: "inherit", shell: isWindows } as const
  const { status } = spawnSync(packageManager, ["install"], options)
  if (status !== 0) throw new CommandError(`${packageManager} install failed: see above.`)
}
