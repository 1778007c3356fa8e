/** The workloads that are measured with many rows, as an application runs them. */
import { randomBytes } from "node:crypto"
import { createAuth } from "@latchkey/core"
import { type PostgresPool, SqlAdapter } from "@latchkey/sql"
import { ActiveSessions, randomBelow } from "./active-sessions.ts"
import { countUsers, sessionTokenOf, subjectOf, userIdOf } from "./rows.ts"

/** Id of a workload. */
export type WorkloadId = keyof typeof runShares

/** The share of runs of each workload, so that those that delete rows do not run out of them. */
const runShares = {
  check: 1,
  find: 1,
  renewal: 0.5,
  byAccount: 0.5,
  signIn: 0.5,
  signOut: 0.5,
  list: 0.5,
  endAll: 0.1,
  sweep: 0,
} as const

/** The titles of the workloads in the tables. */
export const workloadTitles: Readonly<Record<WorkloadId, string>> = {
  check: "session check, `auth.getSession`",
  find: "… its statement alone, `getSessionAndUser`",
  renewal: "session check with renewal, `auth.getSession`",
  byAccount: "the user of an account, `getUserByAccount`",
  signIn: "the session of a sign-in, `createSession`",
  signOut: "sign-out, `deleteSession`",
  list: "a user's sessions, `listSessions`",
  endAll: "ending them, `deleteSessions`",
  sweep: "deleting 1000 expired rows, `deleteExpired`",
}

/** In the order in which they run. */
export const workloadIds = Object.keys(runShares) as WorkloadId[] // the keys of `shares`

/** The batch size of a sweep, by the command and by the adapter. */
const sweepLimit = 1000

/** The number of expired rows required for it, because some are deleted with the sessions of a user. */
export const expiredRowCount = 1200

/** Returns the number of runs of a workload in a round. */
export function countRuns(workload: WorkloadId, runs: number): number {
  return Math.max(1, Math.round(runs * runShares[workload]))
}

const day = 86_400
const maxAge = 30 * day
const url = new URL("http://localhost:3000/")

/** Runs a workload once. @throws TypeError for a wrong result */
export type RunWorkload = () => Promise<void>

/** Prepares a number of runs of each workload, on a pool for a number of sessions. */
export function createWorkloads(
  pool: PostgresPool,
  sessionCount: number,
): (workload: WorkloadId) => RunWorkload {
  const adapter = SqlAdapter(pool, { sweepInterval: 0 })
  const secret = randomBytes(33).toString("base64")
  const shared = { adapter, providers: [], secret, trustHost: true }
  const authWithoutRenewal = createAuth({ ...shared, session: { maxAge, updateAge: maxAge } })
  const authWithRenewal = createAuth({ ...shared, session: { maxAge, updateAge: 0 } })
  const users = countUsers(sessionCount)
  const randomUserId = () => userIdOf(randomBelow(users))
  const activeSessions = new ActiveSessions(sessionCount)

  const createSessionCheck = (auth: typeof authWithoutRenewal): RunWorkload => {
    const cookie = `authjs.session-token=${sessionTokenOf(activeSessions.pickSession())}`
    const headers = new Headers({ cookie })
    return async () => {
      const { session } = await auth.getSession({ headers, url })
      assertExpected(session?.user?.email?.startsWith("person."), "a session")
    }
  }
  const runFactories: Readonly<Record<WorkloadId, () => RunWorkload>> = {
    check: () => createSessionCheck(authWithoutRenewal),
    renewal: () => createSessionCheck(authWithRenewal),
    find: () => {
      const token = sessionTokenOf(activeSessions.pickSession())
      return async () =>
        assertExpected((await adapter.getSessionAndUser(token)) !== null, "a session")
    },
    byAccount: () => {
      const account = { provider: "example", providerAccountId: subjectOf(randomBelow(users)) }
      return async () =>
        assertExpected((await adapter.getUserByAccount(account)) !== null, "a user")
    },
    signIn: () => {
      const sessionToken = randomBytes(32).toString("hex")
      const session = { sessionToken, userId: randomUserId(), expires: daysFromNow(30) }
      return async () =>
        assertExpected((await adapter.createSession(session)) !== null, "a new session")
    },
    signOut: () => {
      const token = sessionTokenOf(activeSessions.endSession())
      return async () =>
        assertExpected((await adapter.deleteSession(token)) !== null, "an ended session")
    },
    list: () => {
      const user = randomUserId()
      return async () => assertExpected(Array.isArray(await adapter.listSessions(user)), "sessions")
    },
    endAll: () => {
      const user = activeSessions.endUserSessions()
      return async () =>
        assertExpected((await adapter.deleteSessions(userIdOf(user))) > 0, "sessions")
    },
    sweep: () => async () => {
      const count = await adapter.deleteExpired(daysFromNow(-1), sweepLimit)
      assertExpected(count === sweepLimit, `${sweepLimit} swept rows, not ${count}`)
    },
  }
  return (workload) => runFactories[workload]()
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * day * 1000)
}

function assertExpected(isRight: boolean | undefined, expectation: string): void {
  if (isRight !== true) throw new TypeError(`Expected ${expectation}`)
}
