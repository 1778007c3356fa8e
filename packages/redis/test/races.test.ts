import { describe, expect, test } from "vitest"
import { fresh, freshSessions } from "./support/fresh.ts"
import { accountOf, inSeconds, passkeyOf, person, sessionOf } from "./support/people.ts"
import { hasRedis } from "./support/redis.ts"

const sixtyFour = Array.from({ length: 64 }, (_, at) => at)

function won(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === "fulfilled").length
}

describe.skipIf(!hasRedis)("at the same time", () => {
  test("of 64 who come with one account, one is created, and nothing of the others", async () => {
    const { adapter, keys, rows, prefix } = await fresh()
    const account = accountOf(person())
    const signUps = sixtyFour.map(async () => adapter.createUserWithAccount(person(), account))
    expect(won(await Promise.allSettled(signUps))).toBe(1)
    expect(await rows.sizeOf(`{${prefix}}:users`)).toBe(1)
    const owner = await adapter.getUserByAccount(account)
    await adapter.deleteUser(owner?.id ?? "")
    expect(await keys()).toEqual({})
  })

  test("of 64 who come with one address, one is created, by whichever way", async () => {
    const { adapter, rows, prefix } = await fresh()
    const { email } = person()
    const signUps = sixtyFour.map(async (at) =>
      at % 2 === 0
        ? adapter.createUser(person({ email }))
        : adapter.createUserWithAccount(person({ email }), accountOf(person())),
    )
    expect(won(await Promise.allSettled(signUps))).toBe(1)
    expect(await rows.sizeOf(`{${prefix}}:users`)).toBe(1)
  })

  test("of 64 who change one user, none undoes what another has changed", async () => {
    const userFields = Object.fromEntries(sixtyFour.map((at) => [`field${at}`, "number" as const]))
    const { adapter } = await fresh({ userFields })
    const { id } = await adapter.createUser(person())
    await Promise.all(sixtyFour.map(async (at) => adapter.updateUser({ id, [`field${at}`]: at })))
    const expected = Object.fromEntries(sixtyFour.map((at) => [`field${at}`, at]))
    expect(await adapter.getUser(id)).toMatchObject(expected)
  })

  test("of 64 sign-outs, one ends the session", async () => {
    const { adapter } = await fresh()
    const sessionToken = await sessionOf(adapter, await adapter.createUser(person()))
    const ends = await Promise.all(sixtyFour.map(async () => adapter.deleteSession(sessionToken)))
    expect(ends.filter((ended) => ended !== null)).toHaveLength(1)
  })

  test("whatever is added to a user who is being deleted is gone with them", async () => {
    const { adapter, keys } = await fresh()
    for (let round = 0; round < 8; round += 1) {
      const user = await adapter.createUser(person())
      const additions = sixtyFour.map(async (at) => {
        if (at === 20) return adapter.deleteUser(user.id)
        if (at % 4 === 0) return adapter.linkAccount(accountOf(user))
        if (at % 4 === 1) return adapter.createAuthenticator(passkeyOf(user))
        if (at % 4 === 2) return adapter.updateUser({ id: user.id, email: person().email })
        return sessionOf(adapter, user)
      })
      await Promise.allSettled(additions)
      await adapter.deleteUser(user.id)
      expect(await keys()).toEqual({})
    }
  })

  test("everybody who leaves all sessions meanwhile is out, or listed", async () => {
    const { sessions, users } = await freshSessions()
    const user = await users.createUser(person())
    const begun = sixtyFour.map(() => sessionOf(sessions, user))
    const ends = sixtyFour.map(async (at) => at % 8 === 0 && sessions.deleteSessions(user.id))
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

  test("of sixteen who renew a session, all succeed", async () => {
    for (const { createUser, begin } of [await together(), await apart()]) {
      const user = await createUser()
      const { adapter, sessionToken } = await begin(user)
      const renewals = sixtyFour
        .slice(0, 16)
        .map(async (at) => adapter.updateSession({ sessionToken, expires: inSeconds(2000 + at) }))
      for (const renewed of await Promise.all(renewals)) expect(renewed).not.toBeNull()
      expect(await adapter.listSessions(user.id)).toHaveLength(1)
    }
  })
})

async function together() {
  const { adapter } = await fresh()
  return {
    createUser: async () => adapter.createUser(person()),
    begin: async (user: { id: string }) => ({
      adapter,
      sessionToken: await sessionOf(adapter, user),
    }),
  }
}

async function apart() {
  const { users, sessions } = await freshSessions()
  return {
    createUser: async () => users.createUser(person()),
    begin: async (user: { id: string }) => ({
      adapter: sessions,
      sessionToken: await sessionOf(sessions, user),
    }),
  }
}
