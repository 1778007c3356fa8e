import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import { firstSignInCases } from "./first-sign-ins.ts"
import { leaseRaceCases } from "./lease-races.ts"
import { inTurn } from "./processes.ts"
import {
  anAccount,
  aSession,
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
      const adapter = having(context, "createVerificationToken")
      having(context, "useVerificationToken")
      const process = inTurn(context)
      const { identifier, token, expires } = aToken()
      await adapter.createVerificationToken({ identifier, token, expires })
      const uses = Array.from({ length: 64 }, async (_, at) =>
        process(at).useVerificationToken?.({ identifier, token }),
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
      const adapter = having(context, "getUserByAccount")
      having(context, "linkAccount")
      const users = [await storedUser(context), await storedUser(context)]
      const providerAccountId = randomUUID()
      const accounts = users.map(({ id }) => anAccount(context, id, { providerAccountId }))
      const process = inTurn(context)
      const links = accounts.map(async (account, at) => process(at).linkAccount?.({ ...account }))
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
      const adapter = having(context, "getUserByEmail")
      having(context, "createUser")
      const first = aUser(context)
      const users = [first, aUser(context, { email: first.email, name: "Another" })]
      const process = inTurn(context)
      const creations = users.map(async (user, at) => process(at).createUser?.({ ...user }))
      const winner = onlyWinner(await Promise.allSettled(creations))
      const found = await adapter.getUserByEmail(first.email)
      assert.equal(found?.name, users[winner]?.name)
    },
  },
  {
    name: "a session that is deleted while it is renewed stays deleted",
    group: "race",
    run: async (context) => {
      for (let round = 0; round < 8; round += 1) await renewalsAndDeletion(context)
    },
  },
  {
    name: "a session that is begun while its user is deleted lets nobody in",
    group: "race",
    run: async (context) => {
      const adapter = having(context, "deleteUser", "getSessionAndUser")
      having(context, "createSession")
      const process = inTurn(context)
      const { id } = await storedUser(context)
      const sessions = Array.from({ length: 8 }, () => aSession(context, id))
      const begin = async (at: number) => process(at).createSession?.({ ...sessions[at] } as never)
      const early = [0, 1, 2, 3].map(begin)
      const deletion = (async () => adapter.deleteUser(id))()
      const late = [4, 5, 6, 7].map(begin)
      // Whoever begins too late may be told so, and databases may give up where one waits for the other.
      const [deleted] = await Promise.allSettled([deletion, ...early, ...late])
      if (deleted.status === "rejected") await adapter.deleteUser(id)
      for (const { sessionToken } of sessions) {
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
      }
    },
  },
  ...firstSignInCases,
  ...leaseRaceCases,
]

/** Sixteen renewals and a deletion of one session; those that come after the deletion find nothing. */
async function renewalsAndDeletion(context: ConformanceContext): Promise<void> {
  const adapter = having(context, "deleteSession", "getSessionAndUser")
  having(context, "updateSession")
  const process = inTurn(context)
  const { sessionToken } = await storedSession(context, (await storedUser(context)).id)
  const renew = async (at: number) =>
    process(at).updateSession?.({ sessionToken, expires: inSeconds(5000 + at) })
  const early = Array.from({ length: 8 }, (_, at) => renew(at))
  const deletion = (async () => adapter.deleteSession(sessionToken))()
  const late = Array.from({ length: 8 }, (_, at) => renew(at + 8))
  // Whoever renews what is gone may be told so, by null or by a rejection.
  const renewals = Promise.allSettled([...early, ...late])
  await deletion
  assert.equal(await adapter.getSessionAndUser(sessionToken), null, "it is gone when it is deleted")
  await renewals
  assertNothing(await context.db.session(sessionToken))
  assert.equal(await adapter.getSessionAndUser(sessionToken), null)
}

/** Gives the index of the only one that succeeded. */
function onlyWinner(results: readonly PromiseSettledResult<unknown>[]): number {
  const outcomes = results.map(({ status }) => status)
  assert.deepEqual([...outcomes].sort(), ["fulfilled", "rejected"], "exactly one of two succeeds")
  return outcomes.indexOf("fulfilled")
}
