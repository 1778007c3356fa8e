/** Measures checks, sign-ins, lists and revocations with a number of recorded sessions in SQLite. */
import { createHash } from "node:crypto"
import { createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createCookieHeader, createHandlerSender } from "../../http.ts"
import { secret } from "../../test-user.ts"
import { UnexpectedResponseError } from "../../workloads/assertions.ts"
import { randomBelow } from "../active-sessions.ts"
import { countUsers, userIdOf, userIndexOf } from "../rows.ts"
import type { MeasuredValues } from "./dimensions.ts"
import { createCycle, measureBatch, measureRuns } from "./measure.ts"

const origin = "http://localhost:3000"
const month = 30 * 86_400_000
/** How many sessions, and then users, are revoked at most. */
const maxRevokedCount = 100

/** Opens the database of a configuration with session records. */
export function openRecordDatabase(file: string) {
  const database = openSqlite(file)
  // The disk of the machine is not measured.
  database.exec("pragma synchronous = off")
  return { database, adapter: SqlAdapter(database, { sessionRecords: true, sweepInterval: 0 }) }
}

/** Returns the id of a recorded session: 22 characters of base64url. */
export function recordIdOf(record: number): string {
  return createHash("sha256").update(`record ${record}`).digest("base64url").slice(0, 22)
}

/** Creates a database with a number of recorded sessions, three for each user. */
export async function fillRecords(file: string, recordCount: number): Promise<void> {
  const { database } = openRecordDatabase(file)
  await migrate(database, { sessionRecords: true })
  const users = countUsers(recordCount)
  const insert = database.prepare(
    `insert into "LatchkeySessionRecord" (id, "userId", "createdAt", "lastSeenAt", expires, details)
     values (?, ?, ?, ?, ?, ?)`,
  )
  const now = Date.now()
  const details = JSON.stringify({ provider: "credentials", method: "credentials" })
  database.exec("pragma cache_size = -500000; begin")
  for (let record = 0; record < recordCount; record++) {
    const userId = userIdOf(userIndexOf(record, users))
    insert.run(recordIdOf(record), userId, now, now, now + month, details)
  }
  database.exec("commit; analyze")
  database.close()
}

/** Measures with a database of {@link fillRecords}. */
export async function measureRecords(
  recordCount: number,
  duration: number,
  file: string,
): Promise<MeasuredValues> {
  const { adapter } = openRecordDatabase(file)
  const users = countUsers(recordCount)
  const { auth, signIn } = await createRecordedSite(adapter, () => userIdOf(randomBelow(users)))
  const cookies = await createCookies(signIn)
  const nextHeaders = createCycle(cookies.map((cookie) => new Headers({ cookie })))
  const check = await measureRuns(async () => {
    const { session } = await auth.getSession({ headers: nextHeaders(), url: origin })
    if (!session) throw new UnexpectedResponseError("a session", "nobody")
  }, duration)
  const list = await measureRuns(async () => {
    const sessions = await auth.sessions.list(userIdOf(randomBelow(users)))
    if (sessions.length < 3) throw new TypeError("Expected the sessions of a user")
  }, duration)
  const revokedCount = Math.min(maxRevokedCount, Math.floor(recordCount / 10))
  let record = 0
  const revoke = await measureBatch(async () => {
    const session = await auth.sessions.revoke(recordIdOf(record++))
    if (!session) throw new TypeError("Expected a session to revoke")
  }, revokedCount)
  let user = revokedCount
  const revokeAll = await measureBatch(async () => {
    const count = await auth.sessions.revokeAll(userIdOf(user++))
    if (count < 3) throw new TypeError("Expected the sessions of a user")
  }, revokedCount)
  // Last, because it adds records.
  return { check, list, revoke, revokeAll, signIn: await measureRuns(signIn, duration) }
}

/**
 * Creates a configuration with recorded sessions in encrypted cookies.
 *
 * @param chooseUser returns the id of the user whom a sign-in signs in
 */
export async function createRecordedSite(
  adapter: ReturnType<typeof openRecordDatabase>["adapter"],
  chooseUser: () => string,
) {
  const auth = createAuth({
    adapter,
    secret,
    trustHost: true,
    attemptLimits: false,
    session: { strategy: "jwt", records: true },
    providers: [credentials({ credentials: {}, authorize: () => ({ id: chooseUser() }) })],
  })
  const send = createHandlerSender(origin, (request) => auth.handle(request))
  const csrf = await send({ method: "GET", path: "/auth/csrf" })
  const form: Record<string, string> = { csrfToken: JSON.parse(csrf.body).csrfToken }
  const path = "/auth/callback/credentials"
  const request = { method: "POST", path, cookie: createCookieHeader(csrf), form } as const
  return { auth, signIn: async () => createCookieHeader(await send(request)) }
}

/** Signs in a few times, and returns the cookies. */
async function createCookies(signIn: () => Promise<string>): Promise<readonly string[]> {
  const cookies: string[] = []
  while (cookies.length < 100) cookies.push(await signIn())
  return cookies
}
