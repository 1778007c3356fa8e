/** One of several processes of an application. */

import { waitForServer } from "../applications/application-server.ts"
import type { Environment } from "../applications/catalogue.ts"
import { type RunningProgram, startProgram, stopProgram } from "../applications/command.ts"

export interface AppProcess {
  readonly port: number
  /**
   * Starts the process with additional variables, and waits until it responds.
   *
   * @param folder that of another build of the application; the last one by default
   * @throws Error with its output if it does not respond
   */
  start(env?: Environment, folder?: string): Promise<void>
  /** Stops the process gracefully: it responds to pending requests. */
  stop(): Promise<void>
  /** Kills the process. */
  kill(): Promise<void>
  /** Its output since the first start, including errors. */
  output(): string
}

/** Options of `createAppProcess`. */
export interface ProcessOptions {
  /** The folder with the built application. */
  readonly folder: string
  /** The file to run. */
  readonly entry: string
  readonly env: Environment
}

/** Creates a process that listens on a port. It is not started yet. */
export function createAppProcess(
  port: number,
  { folder: firstFolder, entry, env: common }: ProcessOptions,
): AppProcess {
  let running: RunningProgram | undefined
  let previousOutput = ""
  let folder = firstFolder
  async function endProcess(
    endProgram: (program: RunningProgram) => Promise<unknown>,
  ): Promise<void> {
    const program = running
    running = undefined
    if (!program) return
    await endProgram(program)
    previousOutput += program.output()
  }
  const kill = () =>
    endProcess(({ process: child, exitCode }) => {
      child.kill("SIGKILL")
      return exitCode
    })
  return {
    port,
    kill,
    stop: () => endProcess(stopProgram),
    async start(env, otherFolder = folder) {
      folder = otherFolder
      const processEnv = { HOST: "127.0.0.1", PORT: `${port}`, NODE_ENV: "production" }
      const fullEnv = { ...common, ...processEnv, ...env }
      running = startProgram(process.execPath, [entry], { cwd: folder, env: fullEnv })
      await waitForServer(running, port).catch(async (error: unknown) => {
        await kill()
        throw error
      })
    },
    output: () => previousOutput + (running?.output() ?? ""),
  }
}
