/** Runs programs as a user of the packages does: in their own folder, outside the repository. */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { delimiter, dirname } from "node:path"

/** The working directory, and the expected exit status, by default 0. */
export interface RunOptions {
  readonly cwd: string
  readonly expectedStatus?: number
}

/**
 * Runs a program for up to four minutes, and returns its standard output.
 *
 * @throws Error with its output if it exits with another status or not in time
 */
export function runCommand(
  program: string,
  args: readonly string[],
  { cwd, expectedStatus = 0 }: RunOptions,
): string {
  const options = { cwd, env: createEnvironment(), encoding: "utf8", timeout: 240_000 } as const
  const result = spawnSync(program, args, options)
  if (result.error) throw result.error
  if (result.status === expectedStatus) return result.stdout
  const outcome = result.signal ?? `status ${result.status}`
  throw new Error(
    `${[program, ...args].join(" ")} ended with ${outcome}, not ${expectedStatus}:\n${result.stdout}${result.stderr}`,
  )
}

/** Runs a TypeScript file with the current Node.js. */
export function runTypeScript(file: string, cwd: string): void {
  runCommand(process.execPath, [file], { cwd })
}

/** Runs a program of an installed package. */
export function runInstalledProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): string {
  return runCommand(`${options.cwd}/node_modules/.bin/${program}`, args, options)
}

const secret = randomBytes(33).toString("base64")

/** Returns the environment without variables of other applications, with the current Node.js first in the path. */
function createEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith("AUTH_"))
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)
  return { ...Object.fromEntries(variables), PATH: path, AUTH_SECRET: secret }
}
