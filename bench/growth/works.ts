/** What is done with many rows: each work as an application has it done. */
import { randomBytes } from "node:crypto"
import { createAuth } from "@latchkey/core"
import { type PostgresPool, SqlAdapter } from "@latchkey/sql"
import { below, LivingSessions } from "./numbers.ts"
import { subjectOf, tokenOf, userIdOf, usersFor } from "./rows.ts"

/** Name of a work. */
export type WorkName = keyof typeof shares

/** How much of the usual number of runs each work gets: what changes rows must not run out of them. */
const shares = {
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

/** How the works are called in tables. */
export const workNames: Readonly<Record<WorkName, string>> = {
  check: "session check, `auth.session`",
  find: "… its statement alone, `getSessionAndUser`",
  renewal: "session check with renewal, `auth.session`",
  byAccount: "who is this account, `getUserByAccount`",
  signIn: "sign-in's session, `createSession`",
  signOut: "sign-out, `deleteSession`",
  list: "a person's sessions, `listSessions`",
  endAll: "ending them, `deleteSessions`",
  sweep: "a sweep of 1000 rows, `deleteExpired`",
}

/** In the order in which they are done. */
export const works = Object.keys(shares) as WorkName[] // the keys of `shares`

/** How many rows a sweep removes: those of the command, and of an adapter in passing. */
const sweptRows = 1000

/** How many have to be there for it: some go with the people whose sessions are ended before. */
export const expiredRows = 1200

/** How often a work is done in a round. */
export function runsOf(work: WorkName, runs: number): number {
  return Math.max(1, Math.round(runs * shares[work]))
}

const day = 86_400
const maxAge = 30 * day
const url = new URL("http://localhost:3000/")

/** Does one run of a work. @throws TypeError for an answer that cannot be right */
export type Run = () => Promise<void>

/** Makes ready so many runs of each work, on a pool that leads to so many sessions. */
export function worksOn(pool: PostgresPool, sessions: number): (work: WorkName) => Run {
  const adapter = SqlAdapter(pool, { sweepInterval: 0 })
  const secret = randomBytes(33).toString("base64")
  const shared = { adapter, providers: [], secret, trustHost: true }
  const patient = createAuth({ ...shared, session: { maxAge, updateAge: maxAge } })
  const eager = createAuth({ ...shared, session: { maxAge, updateAge: 0 } })
  const users = usersFor(sessions)
  const someone = () => userIdOf(below(users))
  const living = new LivingSessions(sessions)

  const asking = (auth: typeof patient): Run => {
    const cookie = `authjs.session-token=${tokenOf(living.any())}`
    const headers = new Headers({ cookie })
    return async () => {
      const { session } = await auth.session(headers, url)
      expect(session?.user?.email?.startsWith("person."), "a session")
    }
  }
  const makers: Readonly<Record<WorkName, () => Run>> = {
    check: () => asking(patient),
    renewal: () => asking(eager),
    find: () => {
      const token = tokenOf(living.any())
      return async () => expect((await adapter.getSessionAndUser(token)) !== null, "a session")
    },
    byAccount: () => {
      const account = { provider: "example", providerAccountId: subjectOf(below(users)) }
      return async () => expect((await adapter.getUserByAccount(account)) !== null, "a user")
    },
    signIn: () => {
      const sessionToken = randomBytes(32).toString("hex")
      const session = { sessionToken, userId: someone(), expires: inDays(30) }
      return async () => expect((await adapter.createSession(session)) !== null, "a new session")
    },
    signOut: () => {
      const token = tokenOf(living.end())
      return async () => expect((await adapter.deleteSession(token)) !== null, "an ended session")
    },
    list: () => {
      const user = someone()
      return async () => expect(Array.isArray(await adapter.listSessions(user)), "sessions")
    },
    endAll: () => {
      const user = living.leave()
      return async () => expect((await adapter.deleteSessions(userIdOf(user))) > 0, "sessions")
    },
    sweep: () => async () => {
      const count = await adapter.deleteExpired(inDays(-1), sweptRows)
      expect(count === sweptRows, `${sweptRows} swept rows, not ${count}`)
    },
  }
  return (work) => makers[work]()
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * day * 1000)
}

function expect(isRight: boolean | undefined, what: string): void {
  if (isRight !== true) throw new TypeError(`Expected ${what}`)
}
