import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import { type Reading, readingInterruptedEverywhere } from "./interrupting.ts"
import { assertRecord, keyOf, storedAccount, storedSession, storedUser } from "./records.ts"

/** A fault is a rejection and never `null`: whoever is signed in must not look as if they were not. */
export const interruptedReadingCases: readonly ConformanceCase[] = [
  reading("getUser", async (context) => {
    const adapter = having(context, "getUser")
    const user = await storedUser(context)
    return { read: () => adapter.getUser(user.id), check: (found) => assertRecord(found, user) }
  }),
  reading("getUserByEmail", async (context) => {
    const adapter = having(context, "getUserByEmail")
    const user = await storedUser(context)
    return {
      read: () => adapter.getUserByEmail(user.email),
      check: (found) => assertRecord(found, user),
    }
  }),
  reading("getUserByAccount", async (context) => {
    const adapter = having(context, "getUserByAccount")
    const user = await storedUser(context)
    const account = await storedAccount(context, user.id)
    return {
      read: () => adapter.getUserByAccount(keyOf(account)),
      check: (found) => assertRecord(found, user),
    }
  }),
  reading("getSessionAndUser", async (context) => {
    const adapter = having(context, "getSessionAndUser")
    const user = await storedUser(context)
    const session = await storedSession(context, user.id)
    return {
      read: async () => (await adapter.getSessionAndUser(session.sessionToken))?.user,
      check: (found) => assertRecord(found, user),
    }
  }),
]

function reading(
  method: string,
  prepare: (context: ConformanceContext) => Promise<Reading>,
): ConformanceCase {
  return {
    name: `${method}, interrupted anywhere, finds what is there or rejects`,
    group: "interruption",
    needs: ["interrupt"],
    run: (context) => readingInterruptedEverywhere(context, () => prepare(context)),
  }
}
