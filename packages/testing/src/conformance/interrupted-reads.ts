import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import { type ReadOperation, runReadInterrupted } from "./interruption-runner.ts"
import {
  assertRecordEquals,
  storeAccount,
  storeSession,
  storeUser,
  toAccountKey,
} from "./record-fixtures.ts"

/** Reads must reject on faults and never return `null`: signed-in users must not appear signed out. */
export const interruptedReadCases: readonly ConformanceCase[] = [
  createReadCase("getUser", async (context) => {
    const adapter = requireMethods(context, "getUser")
    const user = await storeUser(context)
    return {
      read: () => adapter.getUser(user.id),
      check: (found) => assertRecordEquals(found, user),
    }
  }),
  createReadCase("getUserByEmail", async (context) => {
    const adapter = requireMethods(context, "getUserByEmail")
    const user = await storeUser(context)
    return {
      read: () => adapter.getUserByEmail(user.email),
      check: (found) => assertRecordEquals(found, user),
    }
  }),
  createReadCase("getUserByAccount", async (context) => {
    const adapter = requireMethods(context, "getUserByAccount")
    const user = await storeUser(context)
    const account = await storeAccount(context, user.id)
    return {
      read: () => adapter.getUserByAccount(toAccountKey(account)),
      check: (found) => assertRecordEquals(found, user),
    }
  }),
  createReadCase("getSessionAndUser", async (context) => {
    const adapter = requireMethods(context, "getSessionAndUser")
    const user = await storeUser(context)
    const session = await storeSession(context, user.id)
    return {
      read: async () => (await adapter.getSessionAndUser(session.sessionToken))?.user,
      check: (found) => assertRecordEquals(found, user),
    }
  }),
]

function createReadCase(
  method: string,
  prepare: (context: ConformanceContext) => Promise<ReadOperation>,
): ConformanceCase {
  return {
    name: `${method}, interrupted, returns the stored record or rejects`,
    group: "interruption",
    needs: ["interrupt"],
    run: (context) => runReadInterrupted(context, () => prepare(context)),
  }
}
