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

/** What several processes on one database rely on: what one has done is true for all at once. */
export const processCases: readonly ConformanceCase[] = [
  {
    name: "a user whom one adapter has stored, with account and session, is known to another",
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
    name: "what another adapter changes of a user or a session is seen at once",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = requireMethods(context, "getSessionAndUser", "getUser")
      const other = requireMethods(withSecondAdapter(context), "updateUser", "updateSession")
      const user = await storeUser(context)
      const session = await storeSession(context, user.id)
      // Whoever remembers what was read would remember this.
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
    name: "a session that one adapter deletes is gone for another at once",
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
    name: "an e-mail token that one adapter has stored can be used with another, once in all",
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
  assert.ok(context.second, "connect gives a second adapter")
  return { ...context, adapter: context.second }
}

/** Gives what stands for the processes of a race, one after the other and again. */
export function createRoundRobin<Part>({
  adapter,
  second = adapter,
}: {
  readonly adapter: Part
  readonly second?: Part
}): (at: number) => Part {
  return (at) => (at % 2 === 0 ? adapter : second)
}
