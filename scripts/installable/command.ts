/** Runs programs as a user of the packages would: in a folder of their own, outside the repository. */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { delimiter, dirname } from "node:path"

/** Where a program runs, and the exit status that is right; 0 unless another one is named. */
export interface Run {
  readonly cwd: string
  readonly status?: number
}

/**
 * Runs a program for up to four minutes, and gives what it wrote to standard output.
 *
 * @throws Error with all that it wrote, when it ends with another status or not at all
 */
export function command(
  program: string,
  args: readonly string[],
  { cwd, status = 0 }: Run,
): string {
  const options = { cwd, env: environment(), encoding: "utf8", timeout: 240_000 } as const
  const run = spawnSync(program, args, options)
  if (run.error) throw run.error
  if (run.status === status) return run.stdout
  const ending = run.signal ?? `status ${run.status}`
  throw new Error(
    `${[program, ...args].join(" ")} ended with ${ending}, not ${status}:\n${run.stdout}${run.stderr}`,
  )
}

/** Runs a TypeScript file on the Node.js that runs this script. */
export function node(file: string, cwd: string): void {
  command(process.execPath, [file], { cwd })
}

/** Runs a program that a package of the folder brought along. */
export function installed(program: string, args: readonly string[], run: Run): string {
  return command(`${run.cwd}/node_modules/.bin/${program}`, args, run)
}

const secret = randomBytes(33).toString("base64")

/** The environment, with nothing for another application in it, and where programs find the same Node.js. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("AUTH_"))
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path, AUTH_SECRET: secret }
}
