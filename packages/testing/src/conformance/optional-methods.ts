import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { AdapterSession, VerificationToken } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import {
  anAccount,
  anId,
  aSession,
  assertNothing,
  assertRecord,
  aToken,
  aUser,
  inSeconds,
  keyOf,
  storedAccount,
  storedSession,
  storedUser,
} from "./records.ts"

/** What an adapter promises about the methods that it need not have. */
export const optionalMethodCases: readonly ConformanceCase[] = [
  {
    name: "createUserWithAccount stores the user and the account, which gets the user's id",
    group: "optional",
    needs: ["createUserWithAccount"],
    run: async (context) => {
      const adapter = having(context, "createUserWithAccount", "getUserByAccount")
      const user = aUser(context)
      const account = anAccount(context, user.id)
      const created = await adapter.createUserWithAccount({ ...user }, { ...account })
      assertRecord(created, { ...user, id: created.id })
      assertRecord(await context.db.user(created.id), created)
      const row = await context.db.account(account)
      assertRecord(row, { ...account, userId: created.id }, ["id"])
      assertRecord(await adapter.getUserByAccount(keyOf(account)), created)
    },
  },
  {
    name: "createUserWithAccount stores neither when the account is taken",
    group: "optional",
    needs: ["createUserWithAccount"],
    run: async (context) => {
      const adapter = having(context, "createUserWithAccount", "getUserByEmail")
      const taken = await storedAccount(context, (await storedUser(context)).id)
      const user = aUser(context)
      const account = { ...anAccount(context, user.id), providerAccountId: taken.providerAccountId }
      await assert.rejects(async () => adapter.createUserWithAccount({ ...user }, account))
      assert.equal(await adapter.getUserByEmail(user.email), null)
      assertRecord(await context.db.account(account), taken, ["id"])
    },
  },
  {
    name: "createUserWithAccount stores neither when the address is taken",
    group: "optional",
    needs: ["createUserWithAccount"],
    run: async (context) => {
      const adapter = having(context, "createUserWithAccount", "getUserByEmail")
      const taken = await storedUser(context)
      const user = aUser(context, { email: taken.email })
      const account = anAccount(context, user.id)
      await assert.rejects(async () => adapter.createUserWithAccount({ ...user }, { ...account }))
      assertNothing(await context.db.account(account))
      assertRecord(await adapter.getUserByEmail(taken.email), taken)
    },
  },
  {
    name: "updateAccount changes what is given of an account, and nothing else; null for an unknown one",
    group: "optional",
    needs: ["updateAccount"],
    run: async (context) => {
      const adapter = having(context, "updateAccount")
      const { id } = await storedUser(context)
      const account = await storedAccount(context, id)
      const other = await storedAccount(context, id)
      const changes = { access_token: randomUUID(), expires_at: 1_900_000_000 }
      const updated = await adapter.updateAccount({ ...keyOf(account), ...changes })
      assertRecord(updated, { ...account, ...changes }, ["id"])
      assertRecord(await context.db.account(account), { ...account, ...changes }, ["id"])
      assertRecord(await context.db.account(other), other, ["id"])
      const unknown = { ...keyOf(account), providerAccountId: randomUUID() }
      assert.equal((await adapter.updateAccount({ ...unknown, ...changes })) ?? null, null)
      assertNothing(await context.db.account(unknown))
    },
  },
  {
    name: "listSessions gives the sessions of a user that have not expired, and no others",
    group: "optional",
    needs: ["listSessions"],
    run: async (context) => {
      const adapter = having(context, "listSessions", "createSession")
      const { id } = await storedUser(context)
      const own = [await storedSession(context, id), await storedSession(context, id)]
      await adapter.createSession({ ...aSession(context, id), expires: inSeconds(-5) })
      await storedSession(context, (await storedUser(context)).id)
      const listed = await adapter.listSessions(id)
      assert.equal(listed.length, own.length, "as many are listed as there are")
      for (const session of own) {
        const found = listed.find(({ sessionToken }) => sessionToken === session.sessionToken)
        assertRecord(found, session, ["id"])
      }
      assert.deepEqual([...(await adapter.listSessions(anId(context)))], [])
    },
  },
  {
    name: "deleteSessions ends the sessions of a user, all but the given one, and counts them",
    group: "optional",
    needs: ["deleteSessions"],
    run: async (context) => {
      const adapter = having(context, "deleteSessions", "getSessionAndUser")
      const { id } = await storedUser(context)
      const kept = await storedSession(context, id)
      const ended = [await storedSession(context, id), await storedSession(context, id)]
      const foreign = await storedSession(context, (await storedUser(context)).id)
      assert.equal(await adapter.deleteSessions(id, { except: kept.sessionToken }), ended.length)
      for (const { sessionToken } of ended) {
        assertNothing(await context.db.session(sessionToken))
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
      }
      assertRecord(await context.db.session(kept.sessionToken), kept, ["id"])
      // Whoever is named by a session of somebody else keeps none of their own.
      assert.equal(await adapter.deleteSessions(id, { except: foreign.sessionToken }), 1)
      assert.equal(await adapter.deleteSessions(id), 0)
      assertNothing(await context.db.session(kept.sessionToken))
      assertRecord(await context.db.session(foreign.sessionToken), foreign, ["id"])
    },
  },
  {
    name: "deleteExpired removes what expired before the date, no more at once than it is told, and counts",
    group: "optional",
    needs: ["deleteExpired"],
    run: sweeping,
  },
]

/** Long ago, so that no other record that may be there is meant. */
const long = Date.parse("1999-01-01T00:00:00.000Z")

async function sweeping(context: ConformanceContext): Promise<void> {
  const adapter = having(context, "deleteExpired")
  const rows = await staleRows(context)
  const before = new Date(long + 1000)
  const left = await rows.left()
  for (let round = 0; left.sessions + left.tokens > 0; round += 1) {
    assert.ok(round < 10, "rows that expired go")
    const count = await adapter.deleteExpired(before, 2)
    const now = await rows.left()
    const gone = { sessions: left.sessions - now.sessions, tokens: left.tokens - now.tokens }
    assert.ok(gone.sessions <= 2 && gone.tokens <= 2, "no more of each than the limit")
    assert.equal(count, gone.sessions + gone.tokens, "it counts what it removes")
    Object.assign(left, now)
  }
  assert.equal(await adapter.deleteExpired(before, 2), 0)
  await rows.assertOthersKept()
}

/** Three sessions and three tokens that expired long ago, and one of each that expired a little later. */
async function staleRows(context: ConformanceContext) {
  const adapter = having(context, "createSession", "createVerificationToken")
  const { id } = await storedUser(context)
  const sessions: AdapterSession[] = []
  const tokens: VerificationToken[] = []
  for (const age of [0, 1, 2, 5000]) {
    const expires = new Date(long + age)
    sessions.push({ ...aSession(context, id), expires })
    tokens.push({ ...aToken(), expires })
  }
  for (const session of sessions) await adapter.createSession({ ...session })
  for (const token of tokens) await adapter.createVerificationToken({ ...token })
  const [session, token] = [sessions.pop(), tokens.pop()]
  assert.ok(session && token)
  return {
    async left() {
      const found = { sessions: 0, tokens: 0 }
      for (const { sessionToken } of sessions) {
        if (await context.db.session(sessionToken)) found.sessions += 1
      }
      for (const each of tokens) if (await context.db.verificationToken(each)) found.tokens += 1
      return found
    },
    async assertOthersKept() {
      assertRecord(await context.db.session(session.sessionToken), session, ["id"])
      assertRecord(await context.db.verificationToken(token), token, ["id"])
    },
  }
}
