/** Installs the packages of a moved project, and runs the doctor. */

import type { MoveCommand } from "../command-options.ts"
import { runDoctorCommand } from "../doctor/doctor.ts"
import { findPackageManager, installPackages } from "../package-manager.ts"
import type { Terminal } from "../terminal.ts"
import type { ExportedConfig } from "./find-config.ts"

interface MovedProject {
  readonly folder: string
  /** Whether a lock file may contain versions that are too old now. */
  readonly needsUpdate: boolean
  readonly config: ExportedConfig | undefined
}

/**
 * Does so with `--install` or if the user agrees; otherwise prints the commands.
 *
 * @throws CommandError if the installation fails
 */
export async function checkMovedProject(
  { install }: MoveCommand,
  terminal: Terminal,
  { folder, needsUpdate, config }: MovedProject,
): Promise<number> {
  const packageManager = await findPackageManager(folder)
  // `npm install` keeps the locked versions of packages, and refuses those that the new ones cannot use.
  const task = packageManager === "npm" && needsUpdate ? "update" : "install"
  const doctor = config
    ? `npx @latchkey/cli doctor ${config.file} --export ${config.export}`
    : "npx @latchkey/cli doctor FILE, when the configuration is an export of a file of its own"
  const question = `Run ${packageManager} ${task}${config ? " and the doctor" : ""}?`
  if (!(install || (await terminal.confirm?.(question)))) {
    terminal.out(`Next:\n  ${packageManager} ${task}\n  ${doctor}`)
    return 0
  }
  installPackages(packageManager, folder, task)
  if (!config) {
    terminal.out(`Next:\n  ${doctor}`)
    return 0
  }
  return runDoctorCommand({ ...config, online: false }, terminal)
}
