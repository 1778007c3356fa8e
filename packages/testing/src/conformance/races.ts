import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { attemptRaceCases } from "./attempts.ts"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import { factorRaceCases } from "./factors.ts"
import { firstSignInCases } from "./first-sign-ins.ts"
import { leaseRaceCases } from "./lease-races.ts"
import { createRoundRobin } from "./processes.ts"
import {
  assertNoRow,
  assertRecordEquals,
  buildAccount,
  buildSession,
  buildUser,
  buildVerificationToken,
  secondsFromNow,
  storeSession,
  storeUser,
} from "./record-fixtures.ts"
import { sessionRecordRaceCases } from "./session-record-races.ts"

/** Requirements for concurrent requests. */
export const raceCases: readonly ConformanceCase[] = [
  {
    name: "of 64 concurrent uses of a verification token, one succeeds",
    group: "race",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken")
      requireMethods(context, "useVerificationToken")
      const adapterAt = createRoundRobin(context)
      const { identifier, token, expires } = buildVerificationToken()
      await adapter.createVerificationToken({ identifier, token, expires })
      const uses = Array.from({ length: 64 }, async (_, at) =>
        adapterAt(at).useVerificationToken?.({ identifier, token }),
      )
      const used = (await Promise.all(uses)).filter((result) => result !== null)
      assert.deepEqual(
        used.map((each) => ({ ...each })),
        [{ identifier, token, expires }],
      )
    },
  },
  {
    name: "of two users who link the same account concurrently, one succeeds and the other is rejected",
    group: "race",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByAccount")
      requireMethods(context, "linkAccount")
      const users = [await storeUser(context), await storeUser(context)]
      const providerAccountId = randomUUID()
      const accounts = users.map(({ id }) => buildAccount(context, id, { providerAccountId }))
      const adapterAt = createRoundRobin(context)
      const links = accounts.map(async (account, at) => adapterAt(at).linkAccount?.({ ...account }))
      const winner = findOnlyWinner(await Promise.allSettled(links))
      const { provider } = buildAccount(context, "")
      const owner = await adapter.getUserByAccount({ provider, providerAccountId })
      assertRecordEquals(owner, users[winner] ?? {})
      const row = await context.db.account({ provider, providerAccountId })
      assertRecordEquals(row, accounts[winner] ?? {}, ["id"])
    },
  },
  {
    name: "of two users with the same address that are created concurrently, one is stored",
    group: "race",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByEmail")
      requireMethods(context, "createUser")
      const first = buildUser(context)
      const users = [first, buildUser(context, { email: first.email, name: "Another" })]
      const adapterAt = createRoundRobin(context)
      const creations = users.map(async (user, at) => adapterAt(at).createUser?.({ ...user }))
      const winner = findOnlyWinner(await Promise.allSettled(creations))
      const found = await adapter.getUserByEmail(first.email)
      assert.equal(found?.name, users[winner]?.name)
    },
  },
  {
    name: "a session that is deleted while it is renewed stays deleted",
    group: "race",
    run: async (context) => {
      for (let round = 0; round < 8; round += 1) await raceRenewalsAgainstDeletion(context)
    },
  },
  {
    name: "a session that is created while its user is deleted is not valid",
    group: "race",
    run: async (context) => {
      const adapter = requireMethods(context, "deleteUser", "getSessionAndUser")
      requireMethods(context, "createSession")
      const adapterAt = createRoundRobin(context)
      const { id } = await storeUser(context)
      const sessions = Array.from({ length: 8 }, () => buildSession(context, id))
      const createSession = async (at: number) =>
        adapterAt(at).createSession?.({ ...sessions[at] } as never)
      const startedBefore = [0, 1, 2, 3].map(createSession)
      const deletion = (async () => adapter.deleteUser(id))()
      const startedAfter = [4, 5, 6, 7].map(createSession)
      // Sessions that begin too late may be refused, and databases may abort deadlocked statements.
      const [deleted] = await Promise.allSettled([deletion, ...startedBefore, ...startedAfter])
      if (deleted.status === "rejected") await adapter.deleteUser(id)
      for (const { sessionToken } of sessions) {
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
      }
    },
  },
  ...firstSignInCases,
  ...leaseRaceCases,
  ...attemptRaceCases,
  ...factorRaceCases,
  ...sessionRecordRaceCases,
]

/** Runs 16 renewals and a deletion of one session. Renewals after the deletion find nothing. */
async function raceRenewalsAgainstDeletion(context: ConformanceContext): Promise<void> {
  const adapter = requireMethods(context, "deleteSession", "getSessionAndUser")
  requireMethods(context, "updateSession")
  const adapterAt = createRoundRobin(context)
  const { sessionToken } = await storeSession(context, (await storeUser(context)).id)
  const renew = async (at: number) =>
    adapterAt(at).updateSession?.({ sessionToken, expires: secondsFromNow(5000 + at) })
  const startedBefore = Array.from({ length: 8 }, (_, at) => renew(at))
  const deletion = (async () => adapter.deleteSession(sessionToken))()
  const startedAfter = Array.from({ length: 8 }, (_, at) => renew(at + 8))
  // Renewals of a deleted session may return null or reject.
  const renewals = Promise.allSettled([...startedBefore, ...startedAfter])
  await deletion
  assert.equal(await adapter.getSessionAndUser(sessionToken), null, "a deleted session has ended")
  await renewals
  assertNoRow(await context.db.session(sessionToken))
  assert.equal(await adapter.getSessionAndUser(sessionToken), null)
}

/** Returns the index of the only successful result. */
function findOnlyWinner(results: readonly PromiseSettledResult<unknown>[]): number {
  const outcomes = results.map(({ status }) => status)
  assert.deepEqual([...outcomes].sort(), ["fulfilled", "rejected"], "exactly one of two succeeds")
  return outcomes.indexOf("fulfilled")
}
