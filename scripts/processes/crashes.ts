/** What goes wrong in a computing centre: processes die, and so does the database. All of it comes back. */
import type { AppProcess } from "./app-process.ts"
import type { Chance } from "./chance.ts"
import type { DatabaseServer } from "./databases/server.ts"

export interface Crashes {
  /** Ends it; everything runs again afterwards. */
  stop(): Promise<{ readonly processes: number; readonly databases: number }>
}

/** How long a process may need to come back while the database is away, in milliseconds. */
const patience = 30_000

/** What may crash, and who is there when it does. */
export interface Scenery {
  readonly processes: readonly AppProcess[]
  readonly database: DatabaseServer
  readonly chance: Chance
  /** Lets people do what the next crash is to interrupt; resolves when they have begun. */
  rush(): Promise<void>
}

/** Kills processes and the database at random moments, each a moment after a rush. */
export function beginCrashes({ processes, database, chance, rush }: Scenery): Crashes {
  const count = { processes: 0, databases: 0 }
  let isOver = false
  async function crashing(crash: (own: Chance) => Promise<void>): Promise<void> {
    const own = chance.fork()
    for (;;) {
      await own.pause(1000, 4000)
      if (isOver) return
      await rush()
      await own.pause(0, 30)
      await crash(own)
    }
  }
  const all = [
    ...processes.map((each) =>
      crashing(async (own) => {
        count.processes += 1
        await each.kill()
        await own.pause(0, 500)
        await revived(each)
      }),
    ),
    crashing(async (own) => {
      count.databases += 1
      await database.kill()
      await own.pause(0, 1000)
      await database.restart()
    }),
  ]
  return {
    async stop() {
      isOver = true
      await Promise.all(all)
      return count
    },
  }
}

/** Starts it again and again, as a supervisor does: without a database it does not start. */
async function revived(dead: AppProcess): Promise<void> {
  const until = Date.now() + patience
  for (;;) {
    try {
      await dead.start()
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
