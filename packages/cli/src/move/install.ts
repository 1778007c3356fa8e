/** Installs the packages of a moved project, and runs the doctor. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { runDoctorCommand } from "../doctor/doctor.ts"
import type { MoveCommand } from "../parse-command.ts"
import { CommandError, type Terminal } from "../terminal.ts"
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
  const { status } = spawnSync(packageManager, ["install"], {
    cwd: folder,
    stdio: "inherit",
    shell: isWindows,
  })
  if (status !== 0) throw new CommandError(`${packageManager} install failed: see above.`)
  if (!config) {
    terminal.out(`Next:\n  ${doctor}`)
    return 0
  }
  const options = { env: undefined, url: undefined, production: false, online: false, json: false }
  return runDoctorCommand({ name: "doctor", ...config, ...options }, terminal)
}

/** Package managers are scripts there. */
const isWindows = process.platform === "win32"

const lockFiles = {
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  bun: ["bun.lock", "bun.lockb"],
} as const

/** Returns the package manager whose lock file is in the folder; else npm. */
function findPackageManager(folder: string): string {
  const found = Object.entries(lockFiles).find(([, files]) =>
    files.some((file) => existsSync(join(folder, file))),
  )
  return found?.[0] ?? "npm"
}
