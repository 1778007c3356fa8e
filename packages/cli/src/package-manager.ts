/** Runs the package manager of a project. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
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

/** Whether a folder above, up to the repository, is the root of a workspace. */
export function isInWorkspace(folder: string): boolean {
  const parent = dirname(folder)
  if (isRepository(folder) || parent === folder) return false
  return isWorkspaceRoot(parent) || isInWorkspace(parent)
}

function isWorkspaceRoot(folder: string): boolean {
  if (existsSync(join(folder, "pnpm-workspace.yaml"))) return true
  const manifest = join(folder, "package.json")
  return existsSync(manifest) && readFileSync(manifest, "utf8").includes('"workspaces"')
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
