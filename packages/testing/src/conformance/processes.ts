import assert from "node:assert/strict"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import {
  assertRecord,
  aToken,
  inSeconds,
  keyOf,
  storedAccount,
  storedSession,
  storedUser,
} from "./records.ts"

/** What several processes on one database rely on: what one has done is true for all at once. */
export const processCases: readonly ConformanceCase[] = [
  {
    name: "a user whom one adapter has stored, with account and session, is known to another",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const other = having(atSecond(context), "getUser", "getUserByEmail", "getUserByAccount")
      const { getSessionAndUser } = having(atSecond(context), "getSessionAndUser")
      const user = await storedUser(context)
      assertRecord(await other.getUser(user.id), user)
      assertRecord(await other.getUserByEmail(user.email), user)
      assertRecord(await other.getUserByAccount(keyOf(await storedAccount(context, user.id))), user)
      const session = await storedSession(context, user.id)
      assertRecord((await getSessionAndUser(session.sessionToken))?.session, session, ["id"])
    },
  },
  {
    name: "what another adapter changes of a user or a session is seen at once",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = having(context, "getSessionAndUser", "getUser")
      const other = having(atSecond(context), "updateUser", "updateSession")
      const user = await storedUser(context)
      const session = await storedSession(context, user.id)
      // Whoever remembers what was read would remember this.
      await adapter.getSessionAndUser(session.sessionToken)
      await adapter.getUser(user.id)
      const expires = inSeconds(7000)
      await other.updateUser({ id: user.id, name: "Renamed" })
      await other.updateSession({ sessionToken: session.sessionToken, expires })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      assertRecord(found?.session, { ...session, expires }, ["id"])
      assertRecord(found?.user, { ...user, name: "Renamed" })
      assertRecord(await adapter.getUser(user.id), { ...user, name: "Renamed" })
    },
  },
  {
    name: "a session that one adapter deletes is gone for another at once",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = having(context, "getSessionAndUser")
      const { sessionToken } = await storedSession(context, (await storedUser(context)).id)
      assert.ok(await adapter.getSessionAndUser(sessionToken))
      await having(atSecond(context), "deleteSession").deleteSession(sessionToken)
      assert.equal(await adapter.getSessionAndUser(sessionToken), null)
    },
  },
  {
    name: "an e-mail token that one adapter has stored can be used with another, once in all",
    group: "processes",
    needs: ["second"],
    run: async (context) => {
      const adapter = having(context, "createVerificationToken", "useVerificationToken")
      const token = aToken()
      await adapter.createVerificationToken({ ...token })
      const key = { identifier: token.identifier, token: token.token }
      const used = await having(atSecond(context), "useVerificationToken").useVerificationToken(key)
      assertRecord(used, token)
      assert.equal(await adapter.useVerificationToken(key), null)
    },
  },
]

function atSecond(context: ConformanceContext): ConformanceContext {
  assert.ok(context.second, "connect gives a second adapter")
  return { ...context, adapter: context.second }
}

/** Gives what stands for the processes of a race, one after the other and again. */
export function inTurn<Part>({
  adapter,
  second = adapter,
}: {
  readonly adapter: Part
  readonly second?: Part
}): (at: number) => Part {
  return (at) => (at % 2 === 0 ? adapter : second)
}
