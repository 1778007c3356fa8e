import { describe, expect, test } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter, createTestSessions } from "./support/test-adapters.ts"
import {
  newAccount,
  newPasskey,
  newUser,
  secondsFromNow,
  startSession,
} from "./support/test-records.ts"

const indexes = Array.from({ length: 64 }, (_, index) => index)

function countFulfilled(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === "fulfilled").length
}

describe.skipIf(!hasRedis)("concurrently", () => {
  test("one of 64 users with the same account is created, and nothing of the others", async () => {
    const { adapter, keys, rows, prefix } = await createTestAdapter()
    const account = newAccount(newUser())
    const signUps = indexes.map(async () => adapter.createUserWithAccount(newUser(), account))
    expect(countFulfilled(await Promise.allSettled(signUps))).toBe(1)
    expect(await rows.sizeOf(`{${prefix}}:users`)).toBe(1)
    const owner = await adapter.getUserByAccount(account)
    await adapter.deleteUser(owner?.id ?? "")
    expect(await keys()).toEqual({})
  })

  test("one of 64 tokens with the same key is stored", async () => {
    const { adapter } = await createTestAdapter()
    const token = { identifier: "a", token: "hash", expires: secondsFromNow(60) }
    const creations = indexes.map(async () => adapter.createVerificationToken(token))
    expect(countFulfilled(await Promise.allSettled(creations))).toBe(1)
  })

  test("the highest counter of a passkey is stored", async () => {
    const { adapter } = await createTestAdapter()
    const passkey = await adapter.createAuthenticator(
      newPasskey(await adapter.createUser(newUser())),
    )
    const { credentialID } = passkey
    const counters = indexes.map((index) => passkey.counter + ((index * 37) % 64) + 1)
    const updates = counters.map((each) => adapter.updateAuthenticatorCounter(credentialID, each))
    for (const [index, updated] of (await Promise.all(updates)).entries())
      expect(updated.counter).toBeGreaterThanOrEqual(counters[index] ?? Infinity)
    const expected = { ...passkey, counter: passkey.counter + 64 }
    expect(await adapter.getAuthenticator(credentialID)).toEqual(expected)
    expect(await adapter.updateAuthenticatorCounter(credentialID, 1)).toEqual(expected)
    expect(await adapter.getAuthenticator(credentialID)).toEqual(expected)
  })

  test("one of 64 users with the same address is created, by either method", async () => {
    const { adapter, rows, prefix } = await createTestAdapter()
    const { email } = newUser()
    const signUps = indexes.map(async (index) =>
      index % 2 === 0
        ? adapter.createUser(newUser({ email }))
        : adapter.createUserWithAccount(newUser({ email }), newAccount(newUser())),
    )
    expect(countFulfilled(await Promise.allSettled(signUps))).toBe(1)
    expect(await rows.sizeOf(`{${prefix}}:users`)).toBe(1)
  })

  test("none of 64 changes of one user overwrites another", async () => {
    const userFields = Object.fromEntries(
      indexes.map((index) => [`field${index}`, "number" as const]),
    )
    const { adapter } = await createTestAdapter({ userFields })
    const { id } = await adapter.createUser(newUser())
    await Promise.all(
      indexes.map(async (index) => adapter.updateUser({ id, [`field${index}`]: index })),
    )
    const expected = Object.fromEntries(indexes.map((index) => [`field${index}`, index]))
    expect(await adapter.getUser(id)).toMatchObject(expected)
  })

  test("one of 64 sign-outs deletes the session", async () => {
    const { adapter } = await createTestAdapter()
    const sessionToken = await startSession(adapter, await adapter.createUser(newUser()))
    const ends = await Promise.all(indexes.map(async () => adapter.deleteSession(sessionToken)))
    expect(ends.filter((ended) => ended !== null)).toHaveLength(1)
  })

  test("records added to a user who is being deleted are deleted, too", async () => {
    const { adapter, keys } = await createTestAdapter()
    for (let round = 0; round < 8; round += 1) {
      const user = await adapter.createUser(newUser())
      const additions = indexes.map(async (index) => {
        if (index === 20) return adapter.deleteUser(user.id)
        if (index % 4 === 0) return adapter.linkAccount(newAccount(user))
        if (index % 4 === 1) return adapter.createAuthenticator(newPasskey(user))
        if (index % 4 === 2) return adapter.updateUser({ id: user.id, email: newUser().email })
        return startSession(adapter, user)
      })
      await Promise.allSettled(additions)
      await adapter.deleteUser(user.id)
      expect(await keys()).toEqual({})
    }
  })

  test("a session created while all are deleted is deleted or listed", async () => {
    const { sessions, users } = await createTestSessions()
    const user = await users.createUser(newUser())
    const begun = indexes.map(() => startSession(sessions, user))
    const ends = indexes.map(async (index) => index % 8 === 0 && sessions.deleteSessions(user.id))
    const tokens = await Promise.all(begun)
    await Promise.all(ends)
    const listed = (await sessions.listSessions(user.id)).map(({ sessionToken }) => sessionToken)
    for (const sessionToken of tokens) {
      const lives = (await sessions.getSessionAndUser(sessionToken)) !== null
      expect(lives).toBe(listed.includes(sessionToken))
    }
    await sessions.deleteSessions(user.id)
    for (const sessionToken of tokens) {
      expect(await sessions.getSessionAndUser(sessionToken)).toBeNull()
    }
  })

  test("sixteen renewals of one session all succeed", async () => {
    for (const { createUser, begin } of [
      await createAdapterFixture(),
      await createSessionsFixture(),
    ]) {
      const user = await createUser()
      const { adapter, sessionToken } = await begin(user)
      const renewals = indexes
        .slice(0, 16)
        .map(async (index) =>
          adapter.updateSession({ sessionToken, expires: secondsFromNow(2000 + index) }),
        )
      for (const renewed of await Promise.all(renewals)) expect(renewed).not.toBeNull()
      expect(await adapter.listSessions(user.id)).toHaveLength(1)
    }
  })
})

async function createAdapterFixture() {
  const { adapter } = await createTestAdapter()
  return {
    createUser: async () => adapter.createUser(newUser()),
    begin: async (user: { id: string }) => ({
      adapter,
      sessionToken: await startSession(adapter, user),
    }),
  }
}

async function createSessionsFixture() {
  const { users, sessions } = await createTestSessions()
  return {
    createUser: async () => users.createUser(newUser()),
    begin: async (user: { id: string }) => ({
      adapter: sessions,
      sessionToken: await startSession(sessions, user),
    }),
  }
}
