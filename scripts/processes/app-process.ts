/** One of several processes of an application. */
import type { Environment } from "../applications/catalogue.ts"
import { type Started, start, stop } from "../applications/command.ts"
import { untilAnswering } from "../applications/server.ts"

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
export interface Program {
  /** Where the application was built. */
  readonly folder: string
  /** The file that starts it. */
  readonly entry: string
  readonly env: Environment
}

/** A process that listens on a port; it is not started yet. */
export function appProcess(port: number, { folder, entry, env: common }: Program): AppProcess {
  let running: Started | undefined
  let before = ""
  async function end(how: (started: Started) => Promise<unknown>): Promise<void> {
    const ending = running
    running = undefined
    if (!ending) return
    await how(ending)
    before += ending.output()
  }
  const kill = () =>
    end(({ process: child, ended }) => {
      child.kill("SIGKILL")
      return ended
    })
  return {
    port,
    kill,
    stop: () => end(stop),
    async start(env) {
      const own = { HOST: "127.0.0.1", PORT: `${port}`, NODE_ENV: "production" }
      const all = { ...common, ...own, ...env }
      running = start(process.execPath, [entry], { cwd: folder, env: all })
      await untilAnswering(running, port).catch(async (error: unknown) => {
        await kill()
        throw error
      })
    },
    output: () => before + (running?.output() ?? ""),
  }
}
