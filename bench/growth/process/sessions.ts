/** Measures session checks, sign-ins, sign-outs and cleaning up with a number of sessions in SQLite. */
import { randomBytes } from "node:crypto"
import { createAuth } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { randomBelow } from "../active-sessions.ts"
import { countUsers, sessionTokenOf, userIdOf, userIndexOf } from "../rows.ts"
import type { MeasuredValues } from "./dimensions.ts"
import { createCycle, measureBatch, measureRuns } from "./measure.ts"

const day = 86_400_000
const sweepLimit = 1000
/** The number of sessions that are checked by turns. */
const checkedSessionCount = 1000

/** Creates a database with a number of sessions, three for each user. */
export async function fillSessions(file: string, sessionCount: number): Promise<void> {
  const database = openSqlite(file)
  database.exec("pragma synchronous = off; pragma cache_size = -500000")
  await migrate(database)
  const users = countUsers(sessionCount)
  const insertUser = database.prepare(`insert into "User" (id, name, email) values (?, ?, ?)`)
  const insertSession = database.prepare(
    `insert into "Session" (id, "sessionToken", "userId", expires) values (?, ?, ?, ?)`,
  )
  const expires = Date.now() + 30 * day
  database.exec("begin")
  for (let user = 0; user < users; user++)
    insertUser.run(userIdOf(user), `Person ${user}`, `person.${user}@example.test`)
  for (let session = 0; session < sessionCount; session++) {
    const userId = userIdOf(userIndexOf(session, users))
    insertSession.run(crypto.randomUUID(), sessionTokenOf(session), userId, expires)
  }
  database.exec("commit; analyze")
  database.close()
}

/** Measures with a database of {@link fillSessions}. */
export async function measureSessions(
  sessionCount: number,
  duration: number,
  file: string,
): Promise<MeasuredValues> {
  const database = openSqlite(file)
  // The disk of the machine is not measured.
  database.exec("pragma synchronous = off")
  const adapter = SqlAdapter(database, { sweepInterval: 0 })
  const secret = randomBytes(33).toString("base64")
  const auth = createAuth({ adapter, providers: [], secret, trustHost: true })
  const nextHeaders = createCycle(
    Array.from({ length: checkedSessionCount }, () => {
      const token = sessionTokenOf(randomBelow(sessionCount))
      return new Headers({ cookie: `authjs.session-token=${token}` })
    }),
  )
  const url = new URL("http://localhost:3000/")
  const createSession = async (expires: Date) => {
    const sessionToken = randomBytes(32).toString("hex")
    const userId = userIdOf(randomBelow(countUsers(sessionCount)))
    await adapter.createSession({ sessionToken, userId, expires })
    return sessionToken
  }
  const check = await measureRuns(async () => {
    const { session } = await auth.getSession({ headers: nextHeaders(), url })
    if (!session?.user?.email?.startsWith("person.")) throw new TypeError("Expected a session")
  }, duration)
  const tokens: string[] = []
  const expires = new Date(Date.now() + 30 * day)
  const signIn = await measureRuns(async () => tokens.push(await createSession(expires)), duration)
  const signOut = await measureBatch(async () => {
    const deleted = await adapter.deleteSession(tokens.pop() ?? "")
    if (!deleted) throw new TypeError("Expected a session to delete")
  }, tokens.length)
  return { check, signIn, signOut, sweep: await measureSweep() }

  async function measureSweep(): Promise<number> {
    const expired = new Date(Date.now() - 2 * day)
    for (let index = 0; index < sweepLimit; index++) await createSession(expired)
    const time = await measureBatch(async () => {
      const count = await adapter.deleteExpired(new Date(Date.now() - day), sweepLimit)
      if (count !== sweepLimit) throw new TypeError(`Expected ${sweepLimit} rows, not ${count}`)
    }, 1)
    return time / sweepLimit
  }
}
