/** Runs the package manager of a project. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { detect, getUserAgent } from "package-manager-detector"
import { CommandError } from "./terminal.ts"

/**
 * Returns the package manager that the folder uses, or the repository around it; else the one that started this
 * command, such as `pnpm` for `pnpm create`.
 */
export async function findPackageManager(folder: string): Promise<string> {
  const found = await detect({ cwd: folder, stopDir: isRepository })
  return found?.name ?? getUserAgent() ?? "npm"
}

/** Whether a folder is inside a project of a package manager, up to the repository around it. */
export async function isInWorkspace(folder: string): Promise<boolean> {
  if (isRepository(folder)) return false
  return (await detect({ cwd: dirname(folder), stopDir: isRepository })) !== null
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, ".git"))
}

/** @throws CommandError if the installation fails */
export function installPackages(packageManager: string, folder: string, task = "install"): void {
  // Package managers are scripts on Windows.
  const options = { cwd: folder, stdio: "inherit", shell: true } as const
  const { status } = spawnSync(`${packageManager} ${task}`, options)
  if (status !== 0) throw new CommandError(`${packageManager} ${task} failed: see above.`)
}
