import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { having } from "./context.ts"
import { firstSignInCases } from "./first-sign-ins.ts"
import {
  anAccount,
  assertNothing,
  assertRecord,
  aToken,
  aUser,
  inSeconds,
  storedSession,
  storedUser,
} from "./records.ts"

/** What an adapter promises when several requests come at once: security cases 91 and 120. */
export const raceCases: readonly ConformanceCase[] = [
  {
    name: "of 64 who use a verification token at once, one gets it",
    group: "race",
    run: async (context) => {
      const adapter = having(context, "createVerificationToken", "useVerificationToken")
      const { identifier, token, expires } = aToken()
      await adapter.createVerificationToken({ identifier, token, expires })
      const uses = Array.from({ length: 64 }, async () =>
        adapter.useVerificationToken({ identifier, token }),
      )
      const used = (await Promise.all(uses)).filter((result) => result !== null)
      assert.deepEqual(
        used.map((each) => ({ ...each })),
        [{ identifier, token, expires }],
      )
    },
  },
  {
    name: "of two users who link an account at once, one gets it and the other is told",
    group: "race",
    run: async (context) => {
      const adapter = having(context, "linkAccount", "getUserByAccount")
      const users = [await storedUser(context), await storedUser(context)]
      const providerAccountId = randomUUID()
      const accounts = users.map(({ id }) => anAccount(context, id, { providerAccountId }))
      const links = accounts.map(async (account) => adapter.linkAccount({ ...account }))
      const winner = onlyWinner(await Promise.allSettled(links))
      const { provider } = anAccount(context, "")
      const owner = await adapter.getUserByAccount({ provider, providerAccountId })
      assertRecord(owner, users[winner] ?? {})
      const row = await context.db.account({ provider, providerAccountId })
      assertRecord(row, accounts[winner] ?? {}, ["id"])
    },
  },
  {
    name: "of two users who are created with one address at once, one is",
    group: "race",
    run: async (context) => {
      const adapter = having(context, "createUser", "getUserByEmail")
      const first = aUser(context)
      const users = [first, aUser(context, { email: first.email, name: "Another" })]
      const creations = users.map(async (user) => adapter.createUser({ ...user }))
      const winner = onlyWinner(await Promise.allSettled(creations))
      const found = await adapter.getUserByEmail(first.email)
      assert.equal(found?.name, users[winner]?.name)
    },
  },
  {
    name: "a session that is deleted while it is renewed stays deleted",
    group: "race",
    run: async (context) => {
      const adapter = having(context, "updateSession", "deleteSession", "getSessionAndUser")
      const { id } = await storedUser(context)
      for (let round = 0; round < 8; round += 1) {
        const { sessionToken } = await storedSession(context, id)
        const renew = async () => adapter.updateSession({ sessionToken, expires: inSeconds(5000) })
        const deletion = async () => adapter.deleteSession(sessionToken)
        // Whoever renews what is gone may be told so, by null or by a rejection.
        const [, deleted] = await Promise.allSettled([renew(), deletion(), renew()])
        assert.equal(deleted.status, "fulfilled", "the deletion succeeds")
        assertNothing(await context.db.session(sessionToken))
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
      }
    },
  },
  ...firstSignInCases,
]

/** Gives the index of the only one that succeeded. */
function onlyWinner(results: readonly PromiseSettledResult<unknown>[]): number {
  const outcomes = results.map(({ status }) => status)
  assert.deepEqual([...outcomes].sort(), ["fulfilled", "rejected"], "exactly one of two succeeds")
  return outcomes.indexOf("fulfilled")
}
