/** Injects crashes: kills processes and the database, and starts them again. */
import type { AppProcess } from "./app-process.ts"
import type { DatabaseServer } from "./databases/database-server.ts"
import type { SeededRandom } from "./seeded-random.ts"

export interface CrashInjector {
  /** Stops injecting crashes. Afterwards everything runs again. */
  stop(): Promise<{ readonly processes: number; readonly databases: number }>
}

/** How long a restart may take while the database is unavailable, in milliseconds. */
const maxRestartTime = 30_000

/** Options of `startCrashes`. */
export interface CrashOptions {
  readonly processes: readonly AppProcess[]
  readonly database: DatabaseServer
  readonly random: SeededRandom
  /** Starts sign-ins that the next crash interrupts. Resolves when they have begun. */
  startSignIns(): Promise<void>
}

/** Kills processes and the database at random moments, each shortly after sign-ins have started. */
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

/** Retries the start, as a supervisor does, because a process cannot start without the database. */
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
