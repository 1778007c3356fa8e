/** One of several processes of an application. */

import { waitForServer } from "../applications/application-server.ts"
import type { Environment } from "../applications/catalogue.ts"
import { type RunningProgram, startProgram, stopProgram } from "../applications/command.ts"

export interface AppProcess {
  readonly port: number
  /**
   * Starts it, with further variables than the others have, and waits until it answers.
   *
   * @throws Error with all that it wrote when it does not
   */
  start(env?: Environment): Promise<void>
  /** Ends it as servers are ended: what it was asked before is answered. */
  stop(): Promise<void>
  /** It dies in the middle of what it does. */
  kill(): Promise<void>
  /** What it wrote since it was started for the first time, errors included. */
  output(): string
}

/** What to start. */
export interface ProcessOptions {
  /** Where the application was built. */
  readonly folder: string
  /** The file that starts it. */
  readonly entry: string
  readonly env: Environment
}

/** A process that listens on a port; it is not started yet. */
export function createAppProcess(
  port: number,
  { folder, entry, env: common }: ProcessOptions,
): AppProcess {
  let running: RunningProgram | undefined
  let previousOutput = ""
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
    async start(env) {
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
