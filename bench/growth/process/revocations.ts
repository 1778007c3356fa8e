/** Measures sealed sessions with a number of revocations, which each process has to know. */
import { migrate } from "@latchkey/sql"
import type { MeasuredValues } from "./dimensions.ts"
import { measureBatch, measureRuns, readMemory } from "./measure.ts"
import { createRecordedSite, openRecordDatabase, recordIdOf } from "./records.ts"

const url = new URL("http://localhost:3000/")
const month = 30 * 86_400_000
/** The number of sessions that are revoked, after as many that are not measured. */
const revokedCount = 100

/** Creates a database with a number of revocations, as the sign-outs of a month leave them. */
export async function fillRevocations(file: string, revocationCount: number): Promise<void> {
  const { database } = openRecordDatabase(file)
  await migrate(database, { sessionRecords: true })
  const insert = database.prepare(
    `insert into "LatchkeySessionChange" (key, "changedAt", expires, details) values (?, ?, ?, '{}')`,
  )
  const now = Date.now()
  database.exec("pragma cache_size = -500000; begin")
  for (let index = 0; index < revocationCount; index++) {
    // Every entry lasts at least a day.
    const age = Math.floor((index / revocationCount) * 29 * 86_400_000)
    insert.run(`session ${recordIdOf(index)}`, now - age, now - age + month)
  }
  database.exec("commit; analyze")
  database.close()
}

/** Measures with a database of {@link fillRevocations}. */
export async function measureRevocations(
  _revocationCount: number,
  duration: number,
  file: string,
): Promise<MeasuredValues> {
  const cookie = await createCookie()
  const { adapter } = openRecordDatabase(file)
  const { auth } = await createRecordedSite(adapter, () => userId)
  const headers = new Headers({ cookie })
  const checkSession = async () => {
    const { session } = await auth.getSession({ headers, url })
    if (!session) throw new TypeError("Expected a session")
  }
  const before = readMemory()
  const firstCheck = (await measureBatch(checkSession, 1)) / 1000
  const memory = (readMemory() - before) / 1024
  const check = await measureRuns(checkSession, duration)
  let index = 0
  // Of sessions without a record: a revocation is stored all the same.
  const revokeNext = () => auth.sessions.revoke(recordIdOf(-1 - index++))
  await measureBatch(revokeNext, revokedCount)
  return { firstCheck, check, revoke: await measureBatch(revokeNext, revokedCount), memory }
}

const userId = "a user of the benchmark"

/** Signs in and checks the session with an empty database, which also loads the code. */
async function createCookie(): Promise<string> {
  const { database, adapter } = openRecordDatabase(":memory:")
  await migrate(database, { sessionRecords: true })
  const { auth, signIn } = await createRecordedSite(adapter, () => userId)
  const cookie = await signIn()
  await auth.getSession({ headers: new Headers({ cookie }), url })
  return cookie
}
