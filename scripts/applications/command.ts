/** Runs programs of an application in its folder, with the current Node.js and without our environment. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { delimiter, dirname } from "node:path"
import type { Environment } from "./catalogue.ts"

export interface RunOptions {
  readonly cwd: string
  readonly env?: Environment
}

/** A running program, and its output so far, including errors. */
export interface RunningProgram {
  readonly process: ChildProcess
  output(): string
  /** Resolves when the program has exited. */
  readonly exitCode: Promise<number | null>
}

/** Starts a program in its own process group. */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
): RunningProgram {
  const child = spawn(program, args, {
    cwd,
    env: { ...createEnvironment(), ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  const ended = once(child, "close").then(([code]: unknown[]) => code as number | null)
  return { process: child, output: () => output, exitCode: ended }
}

/**
 * Runs a program to its end, and returns its output.
 *
 * @throws Error with its output if it fails or takes more than five minutes
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<string> {
  const runningProgram = startProgram(program, args, options)
  const timer = setTimeout(() => void stopProgram(runningProgram), 300_000)
  const code = await runningProgram.exitCode.finally(() => clearTimeout(timer))
  if (code === 0) return runningProgram.output()
  const name = [program, ...args].join(" ")
  throw new Error(
    `${name} ended with status ${code} in ${options.cwd}:\n${runningProgram.output()}`,
  )
}

/** Stops a program and its child processes; kills them after three seconds. */
export async function stopProgram({ process: child, exitCode }: RunningProgram): Promise<void> {
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // The process has already exited.
    }
  }
  kill("SIGTERM")
  const timer = setTimeout(() => kill("SIGKILL"), 3000)
  await exitCode.finally(() => clearTimeout(timer))
}

/** Variables of npm, of the test runner and of other applications, which are removed. */
const excludedVariables =
  /^(npm_|VITEST|VITE_|AUTH_|PROBE_|DATABASE_URL$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|TEST$|PROD$|DEV$|MODE$|SSR$|BASE_URL$|ORIGIN$|HOST$|PORT$)/i

function createEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !excludedVariables.test(name))
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)
  return { ...Object.fromEntries(variables), PATH: path, NO_COLOR: "1" }
}
