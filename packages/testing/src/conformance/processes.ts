import assert from "node:assert/strict"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertRecordEquals,
  buildVerificationToken,
  secondsFromNow,
  storeAccount,
  storeSession,
  storeUser,
  toAccountKey,
} from "./record-fixtures.ts"

/** Requirements for several processes on one database: changes of one take effect for all at once. */
export const processCases: readonly ConformanceCase[] = [
  {
    name: "another adapter finds a stored user, account and session",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const other = requireMethods(
        withSecondAdapter(context),
        "getUser",
        "getUserByEmail",
        "getUserByAccount",
      )
      const { getSessionAndUser } = requireMethods(withSecondAdapter(context), "getSessionAndUser")
      const user = await storeUser(context)
      assertRecordEquals(await other.getUser(user.id), user)
      assertRecordEquals(await other.getUserByEmail(user.email), user)
      assertRecordEquals(
        await other.getUserByAccount(toAccountKey(await storeAccount(context, user.id))),
        user,
      )
      const session = await storeSession(context, user.id)
      assertRecordEquals((await getSessionAndUser(session.sessionToken))?.session, session, ["id"])
    },
  },
  {
    name: "changes by another adapter are visible at once",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = requireMethods(context, "getSessionAndUser", "getUser")
      const other = requireMethods(withSecondAdapter(context), "updateUser", "updateSession")
      const user = await storeUser(context)
      const session = await storeSession(context, user.id)
      // An adapter with a cache would cache this.
      await adapter.getSessionAndUser(session.sessionToken)
      await adapter.getUser(user.id)
      const expires = secondsFromNow(7000)
      await other.updateUser({ id: user.id, name: "Renamed" })
      await other.updateSession({ sessionToken: session.sessionToken, expires })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      assertRecordEquals(found?.session, { ...session, expires }, ["id"])
      assertRecordEquals(found?.user, { ...user, name: "Renamed" })
      assertRecordEquals(await adapter.getUser(user.id), { ...user, name: "Renamed" })
    },
  },
  {
    name: "a session that another adapter deletes has ended at once",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = requireMethods(context, "getSessionAndUser")
      const { sessionToken } = await storeSession(context, (await storeUser(context)).id)
      assert.ok(await adapter.getSessionAndUser(sessionToken))
      await requireMethods(withSecondAdapter(context), "deleteSession").deleteSession(sessionToken)
      assert.equal(await adapter.getSessionAndUser(sessionToken), null)
    },
  },
  {
    name: "an e-mail token can be used once, with any adapter",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
      const token = buildVerificationToken()
      await adapter.createVerificationToken({ ...token })
      const key = { identifier: token.identifier, token: token.token }
      const used = await requireMethods(
        withSecondAdapter(context),
        "useVerificationToken",
      ).useVerificationToken(key)
      assertRecordEquals(used, token)
      assert.equal(await adapter.useVerificationToken(key), null)
    },
  },
]

function withSecondAdapter(context: ConformanceContext): ConformanceContext {
  assert.ok(context.second, "the context has a second adapter")
  return { ...context, adapter: context.second }
}

/** Returns a function that alternates between the processes of a race. */
export function createRoundRobin<Part>({
  adapter,
  second = adapter,
}: {
  readonly adapter: Part
  readonly second?: Part
}): (at: number) => Part {
  return (at) => (at % 2 === 0 ? adapter : second)
}
