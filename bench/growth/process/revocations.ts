/** Measures sealed sessions with a number of revocations, which each process has to know. */
import { createAuth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import { migrate } from "@latchkey/sql"
import { sessionCookieName } from "../../libraries/authjs-compatible.ts"
import { secret, testUser } from "../../test-user.ts"
import type { MeasuredValues } from "./dimensions.ts"
import { measureBatch, measureRuns, readMemory } from "./measure.ts"
import { openRecordDatabase, recordIdOf } from "./records.ts"

const url = new URL("http://localhost:3000/")
const month = 30 * 86_400_000
/** The number of sessions that are revoked while it is measured. */
const revokedCount = 100

/** Creates a database with a number of revocations, as sign-outs leave them. */
export async function fillRevocations(file: string, revocationCount: number): Promise<void> {
  const { database } = openRecordDatabase(file)
  await migrate(database, { sessionRecords: true })
  const insert = database.prepare(
    `insert into "LatchkeySessionChange" (key, "changedAt", expires, details) values (?, ?, ?, '{}')`,
  )
  const now = Date.now()
  database.exec("pragma cache_size = -500000; begin")
  for (let index = 0; index < revocationCount; index++)
    insert.run(`session ${recordIdOf(index)}`, now, now + month)
  database.exec("commit; analyze")
  database.close()
}

/** Measures with a database of {@link fillRevocations}. */
export async function measureRevocations(
  _revocationCount: number,
  duration: number,
  file: string,
): Promise<MeasuredValues> {
  const { adapter } = openRecordDatabase(file)
  const auth = createAuth({
    adapter,
    secret,
    trustHost: true,
    session: { strategy: "jwt", records: true },
    providers: [],
  })
  const { id: sub, name, email } = testUser
  const token = await encode({ token: { sub, name, email }, secret, salt: sessionCookieName })
  const headers = new Headers({ cookie: `${sessionCookieName}=${token}` })
  const checkSession = async () => {
    const { session } = await auth.getSession({ headers, url })
    if (session?.user?.email !== email) throw new TypeError("Expected a session")
  }
  const before = readMemory()
  const firstCheck = (await measureBatch(checkSession, 1)) / 1000
  const memory = (readMemory() - before) / 1024
  const check = await measureRuns(checkSession, duration)
  let revoked = 0
  // Of sessions without a record: a revocation is stored all the same.
  const revoke = await measureBatch(
    () => auth.sessions.revoke(recordIdOf(-1 - revoked++)),
    revokedCount,
  )
  return { firstCheck, check, revoke, memory }
}
