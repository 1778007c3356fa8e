/** What goes wrong in a computing centre: processes die, and so does the database. All of it comes back. */
import type { AppProcess } from "./app-process.ts"
import type { DatabaseServer } from "./databases/database-server.ts"
import type { SeededRandom } from "./seeded-random.ts"

export interface CrashInjector {
  /** Ends it; everything runs again afterwards. */
  stop(): Promise<{ readonly processes: number; readonly databases: number }>
}

/** How long a process may need to come back while the database is away, in milliseconds. */
const maxRestartTime = 30_000

/** What may crash, and who is there when it does. */
export interface CrashOptions {
  readonly processes: readonly AppProcess[]
  readonly database: DatabaseServer
  readonly random: SeededRandom
  /** Lets people do what the next crash is to interrupt; resolves when they have begun. */
  startSignIns(): Promise<void>
}

/** Kills processes and the database at random moments, each a moment after a rush. */
export function startCrashes({
  processes,
  database,
  random: chance,
  startSignIns,
}: CrashOptions): CrashInjector {
  const count = { processes: 0, databases: 0 }
  let isStopped = false
  async function crashRepeatedly(crash: (random: SeededRandom) => Promise<void>): Promise<void> {
    const random = chance.fork()
    for (;;) {
      await random.sleepBetween(1000, 4000)
      if (isStopped) return
      await startSignIns()
      await random.sleepBetween(0, 30)
      await crash(random)
    }
  }
  const loops = [
    ...processes.map((each) =>
      crashRepeatedly(async (random) => {
        count.processes += 1
        await each.kill()
        await random.sleepBetween(0, 500)
        await restartProcess(each)
      }),
    ),
    crashRepeatedly(async (random) => {
      count.databases += 1
      await database.kill()
      await random.sleepBetween(0, 1000)
      await database.restart()
    }),
  ]
  return {
    async stop() {
      isStopped = true
      await Promise.all(loops)
      return count
    },
  }
}

/** Starts it again and again, as a supervisor does: without a database it does not start. */
async function restartProcess(stoppedProcess: AppProcess): Promise<void> {
  const deadline = Date.now() + maxRestartTime
  for (;;) {
    try {
      await stoppedProcess.start()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
