/** Installs the packages of a moved project, and runs the doctor. */
import { runDoctorCommand } from "../doctor/doctor.ts"
import { findPackageManager, installPackages } from "../package-manager.ts"
import type { MoveCommand } from "../parse-command.ts"
import type { Terminal } from "../terminal.ts"
import type { ExportedConfig } from "./find-config.ts"

/**
 * Does so with `--install` or if the user agrees; otherwise prints the commands.
 *
 * @throws CommandError if the installation fails
 */
export async function checkMovedProject(
  { install }: MoveCommand,
  terminal: Terminal,
  folder: string,
  config: ExportedConfig | undefined,
): Promise<number> {
  const packageManager = findPackageManager(folder)
  const doctor = config
    ? `npx @latchkey/cli doctor ${config.file} --export ${config.export}`
    : "npx @latchkey/cli doctor FILE, when the configuration is an export of a file of its own"
  const question = `Run ${packageManager} install${config ? " and the doctor" : ""}?`
  if (!(install || (await terminal.confirm?.(question)))) {
    terminal.out(`Next:\n  ${packageManager} install\n  ${doctor}`)
    return 0
  }
  installPackages(packageManager, folder)
  if (!config) {
    terminal.out(`Next:\n  ${doctor}`)
    return 0
  }
  const options = { env: undefined, url: undefined, production: false, online: false, json: false }
  return runDoctorCommand({ name: "doctor", ...config, ...options }, terminal)
}
