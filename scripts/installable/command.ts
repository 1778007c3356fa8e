/** Runs programs as a user of the packages would: in a folder of their own, outside the repository. */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { delimiter, dirname } from "node:path"

/** Where a program runs, and the exit status that is right; 0 unless another one is named. */
export interface RunOptions {
  readonly cwd: string
  readonly expectedStatus?: number
}

/**
 * Runs a program for up to four minutes, and gives what it wrote to standard output.
 *
 * @throws Error with all that it wrote, when it ends with another status or not at all
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

/** Runs a TypeScript file on the Node.js that runs this script. */
export function runTypeScript(file: string, cwd: string): void {
  runCommand(process.execPath, [file], { cwd })
}

/** Runs a program that a package of the folder brought along. */
export function runInstalledProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): string {
  return runCommand(`${options.cwd}/node_modules/.bin/${program}`, args, options)
}

const secret = randomBytes(33).toString("base64")

/** The environment, with nothing for another application in it, and where programs find the same Node.js. */
function createEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith("AUTH_"))
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)
  return { ...Object.fromEntries(variables), PATH: path, AUTH_SECRET: secret }
}
