/** Runs the command in its own process and folder. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { Finding } from "../../src/doctor/finding.ts"

// Inside the repository, so that configurations find the packages that they import; not below node_modules, where
// Node.js runs no TypeScript.
const workspace = join(import.meta.dirname, "../../../../.cache/latchkey-cli")
const bin = join(import.meta.dirname, "../../src/bin.ts")

export interface CommandResult {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** The files in the folder, and the environment. */
export interface CommandFixture {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** Creates a folder with files, and removes it after the test. */
export function createFolder(
  files: CommandFixture["files"] = {},
  parent: string = workspace,
): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, "run-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Runs `latchkey` in a folder. The environment contains only the variables of `env`. */
export function runLatchkey(
  args: readonly string[],
  folder: string,
  env: CommandFixture["env"] = {},
): Promise<CommandResult> {
  const command = ["--conditions=@latchkey/source", bin, ...args]
  const options = { cwd: folder, env: { PATH: process.env["PATH"], ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, out, err) => {
      resolve({ status: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err })
    })
  })
}

export interface DoctorOutput {
  readonly status: number
  readonly findings: readonly Finding[]
}

export async function runDoctor(
  { files, env }: CommandFixture,
  args: readonly string[] = [],
): Promise<DoctorOutput> {
  const { status, out, err } = await runLatchkey(
    ["doctor", "--json", ...args],
    createFolder(files),
    env,
  )
  if (err !== "") throw new Error(err)
  return { status, findings: JSON.parse(out).findings }
}
