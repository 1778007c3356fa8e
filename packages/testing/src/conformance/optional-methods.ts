import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { AdapterSession, VerificationToken } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertNoRow,
  assertRecordEquals,
  buildAccount,
  buildId,
  buildSession,
  buildUser,
  buildVerificationToken,
  secondsFromNow,
  storeAccount,
  storeSession,
  storeUser,
  toAccountKey,
} from "./record-fixtures.ts"

/** Requirements for optional methods. */
export const optionalMethodCases: readonly ConformanceCase[] = [
  {
    name: "createUserWithAccount stores the user, and the account with the user's id",
    group: "optional",
    needs: ["createUserWithAccount"],
    run: async (context) => {
      const adapter = requireMethods(context, "createUserWithAccount", "getUserByAccount")
      const user = buildUser(context)
      const account = buildAccount(context, user.id)
      const created = await adapter.createUserWithAccount({ ...user }, { ...account })
      assertRecordEquals(created, { ...user, id: created.id })
      assertRecordEquals(await context.db.user(created.id), created)
      const row = await context.db.account(account)
      assertRecordEquals(row, { ...account, userId: created.id }, ["id"])
      assertRecordEquals(await adapter.getUserByAccount(toAccountKey(account)), created)
    },
  },
  {
    name: "createUserWithAccount stores neither if the account exists",
    group: "optional",
    needs: ["createUserWithAccount"],
    run: async (context) => {
      const adapter = requireMethods(context, "createUserWithAccount", "getUserByEmail")
      const taken = await storeAccount(context, (await storeUser(context)).id)
      const user = buildUser(context)
      const account = {
        ...buildAccount(context, user.id),
        providerAccountId: taken.providerAccountId,
      }
      await assert.rejects(async () => adapter.createUserWithAccount({ ...user }, account))
      assert.equal(await adapter.getUserByEmail(user.email), null)
      assertRecordEquals(await context.db.account(account), taken, ["id"])
    },
  },
  {
    name: "createUserWithAccount stores neither if the address is taken",
    group: "optional",
    needs: ["createUserWithAccount"],
    run: async (context) => {
      const adapter = requireMethods(context, "createUserWithAccount", "getUserByEmail")
      const taken = await storeUser(context)
      const user = buildUser(context, { email: taken.email })
      const account = buildAccount(context, user.id)
      await assert.rejects(async () => adapter.createUserWithAccount({ ...user }, { ...account }))
      assertNoRow(await context.db.account(account))
      assertRecordEquals(await adapter.getUserByEmail(taken.email), taken)
    },
  },
  {
    name: "countUnprovenUsers counts users with an address that has no date of its proof",
    group: "optional",
    needs: ["countUnprovenUsers"],
    run: async (context) => {
      const adapter = requireMethods(context, "countUnprovenUsers", "updateUser")
      const before = await adapter.countUnprovenUsers()
      const { id } = await storeUser(context, { emailVerified: null })
      await storeUser(context, { email: "", emailVerified: null })
      await storeUser(context, { emailVerified: secondsFromNow(0) })
      assert.equal(await adapter.countUnprovenUsers(), before + 1)
      await adapter.updateUser({ id, emailVerified: secondsFromNow(0) })
      assert.equal(await adapter.countUnprovenUsers(), before)
    },
  },
  {
    name: "updateAccount changes only the given fields, and returns null for an unknown account",
    group: "optional",
    needs: ["updateAccount"],
    run: async (context) => {
      const adapter = requireMethods(context, "updateAccount")
      const { id } = await storeUser(context)
      const account = await storeAccount(context, id)
      const other = await storeAccount(context, id)
      const changes = { access_token: randomUUID(), expires_at: 1_900_000_000 }
      const updated = await adapter.updateAccount({ ...toAccountKey(account), ...changes })
      assertRecordEquals(updated, { ...account, ...changes }, ["id"])
      assertRecordEquals(await context.db.account(account), { ...account, ...changes }, ["id"])
      assertRecordEquals(await context.db.account(other), other, ["id"])
      const unknown = { ...toAccountKey(account), providerAccountId: randomUUID() }
      assert.equal((await adapter.updateAccount({ ...unknown, ...changes })) ?? null, null)
      assertNoRow(await context.db.account(unknown))
    },
  },
  {
    name: "listAccounts returns only the accounts of the user, with their tokens",
    group: "optional",
    needs: ["listAccounts"],
    run: async (context) => {
      const adapter = requireMethods(context, "listAccounts")
      const { id } = await storeUser(context)
      const own = [await storeAccount(context, id), await storeAccount(context, id)]
      await storeAccount(context, (await storeUser(context)).id)
      const listed = await adapter.listAccounts(id)
      assert.equal(listed.length, own.length, "all accounts are listed")
      for (const account of own) {
        const found = listed.find((each) => each.providerAccountId === account.providerAccountId)
        assertRecordEquals(found, account, ["id"])
      }
      assert.deepEqual([...(await adapter.listAccounts(buildId(context)))], [])
    },
  },
  {
    name: "listSessions returns only the unexpired sessions of the user",
    group: "optional",
    needs: ["listSessions"],
    run: async (context) => {
      const adapter = requireMethods(context, "listSessions", "createSession")
      const { id } = await storeUser(context)
      const own = [await storeSession(context, id), await storeSession(context, id)]
      await adapter.createSession({ ...buildSession(context, id), expires: secondsFromNow(-5) })
      await storeSession(context, (await storeUser(context)).id)
      const listed = await adapter.listSessions(id)
      assert.equal(listed.length, own.length, "all sessions are listed")
      for (const session of own) {
        const found = listed.find(({ sessionToken }) => sessionToken === session.sessionToken)
        assertRecordEquals(found, session, ["id"])
      }
      assert.deepEqual([...(await adapter.listSessions(buildId(context)))], [])
    },
  },
  {
    name: "deleteSessions ends all sessions of a user except the given one, and returns their number",
    group: "optional",
    needs: ["deleteSessions"],
    run: async (context) => {
      const adapter = requireMethods(context, "deleteSessions", "getSessionAndUser")
      const { id } = await storeUser(context)
      const kept = await storeSession(context, id)
      const ended = [await storeSession(context, id), await storeSession(context, id)]
      const foreign = await storeSession(context, (await storeUser(context)).id)
      assert.equal(await adapter.deleteSessions(id, { except: kept.sessionToken }), ended.length)
      for (const { sessionToken } of ended) {
        assertNoRow(await context.db.session(sessionToken))
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
      }
      assertRecordEquals(await context.db.session(kept.sessionToken), kept, ["id"])
      // A session of another user keeps none of their own.
      assert.equal(await adapter.deleteSessions(id, { except: foreign.sessionToken }), 1)
      assert.equal(await adapter.deleteSessions(id), 0)
      assertNoRow(await context.db.session(kept.sessionToken))
      assertRecordEquals(await context.db.session(foreign.sessionToken), foreign, ["id"])
    },
  },
  {
    name: "deleteExpired removes rows that expired before the date, up to the limit, and returns their number",
    group: "optional",
    needs: ["deleteExpired"],
    run: testDeleteExpired,
  },
]

/** Long ago, so that no other record is affected. */
const longAgo = Date.parse("1999-01-01T00:00:00.000Z")

async function testDeleteExpired(context: ConformanceContext): Promise<void> {
  const adapter = requireMethods(context, "deleteExpired")
  const expired = await storeExpiredRows(context)
  const before = new Date(longAgo + 1000)
  const remaining = await expired.countRemaining()
  for (let round = 0; remaining.sessions + remaining.tokens > 0; round += 1) {
    assert.ok(round < 10, "expired rows are removed")
    const count = await adapter.deleteExpired(before, 2)
    const remainingNow = await expired.countRemaining()
    const removed = {
      sessions: remaining.sessions - remainingNow.sessions,
      tokens: remaining.tokens - remainingNow.tokens,
    }
    assert.ok(removed.sessions <= 2 && removed.tokens <= 2, "at most the limit of each is removed")
    assert.equal(count, removed.sessions + removed.tokens, "the number of removed rows is returned")
    Object.assign(remaining, remainingNow)
  }
  assert.equal(await adapter.deleteExpired(before, 2), 0)
  await expired.assertOthersKept()
}

/** Stores three sessions and three tokens that expired long ago, and one of each that expired a little later. */
async function storeExpiredRows(context: ConformanceContext) {
  const adapter = requireMethods(context, "createSession", "createVerificationToken")
  const { id } = await storeUser(context)
  const sessions: AdapterSession[] = []
  const tokens: VerificationToken[] = []
  for (const age of [0, 1, 2, 5000]) {
    const expires = new Date(longAgo + age)
    sessions.push({ ...buildSession(context, id), expires })
    tokens.push({ ...buildVerificationToken(), expires })
  }
  for (const session of sessions) await adapter.createSession({ ...session })
  for (const token of tokens) await adapter.createVerificationToken({ ...token })
  const [session, token] = [sessions.pop(), tokens.pop()]
  assert.ok(session && token)
  return {
    async countRemaining() {
      const found = { sessions: 0, tokens: 0 }
      for (const { sessionToken } of sessions) {
        if (await context.db.session(sessionToken)) found.sessions += 1
      }
      for (const each of tokens) if (await context.db.verificationToken(each)) found.tokens += 1
      return found
    },
    async assertOthersKept() {
      assertRecordEquals(await context.db.session(session.sessionToken), session, ["id"])
      assertRecordEquals(await context.db.verificationToken(token), token, ["id"])
    },
  }
}
