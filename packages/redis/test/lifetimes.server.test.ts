import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, test, vi } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter, createTestSessions } from "./support/test-adapters.ts"
import {
  newAccount,
  newPasskey,
  newUser,
  secondsFromNow,
  startSession,
} from "./support/test-records.ts"

const hour = 3_600_000

describe.skipIf(!hasRedis)("expiry of keys", () => {
  test("sessions and tokens are removed an hour after they expired; other keys stay", async () => {
    const { adapter, keys } = await createTestAdapter()
    const user = await adapter.createUserWithAccount(newUser(), newAccount(newUser()))
    await adapter.createAuthenticator(newPasskey(user))
    await startSession(adapter, user, secondsFromNow(1000))
    const token = { identifier: user.email, token: "hash", expires: secondsFromNow(60) }
    await adapter.createVerificationToken(token)
    const lives = Object.entries(await keys())
    const mortal = lives.filter(([, left]) => left !== -1)
    expect(mortal.map(([name]) => name.split(":")[1]).sort()).toEqual([
      "session",
      "sessions-of",
      "tokens-of",
    ])
    for (const [name, left] of mortal) {
      const expected = hour + (name.startsWith(":tokens-of") ? 60_000 : 1_000_000)
      expect(Math.abs(left - expected)).toBeLessThan(5000)
    }
    expect(lives.length - mortal.length).toBe(7)
  })

  test("a renewed session expires later, and so does its entry in the set of its user", async () => {
    const { adapter, keys } = await createTestAdapter()
    const user = await adapter.createUser(newUser())
    const sessionToken = await startSession(adapter, user, secondsFromNow(10))
    await adapter.updateSession({ sessionToken, expires: secondsFromNow(5000) })
    const lives = await keys()
    for (const name of [`:session:${sessionToken}`, `:sessions-of:${user.id}`]) {
      expect(lives[name]).toBeGreaterThan(hour + 4_990_000)
    }
    await adapter.updateSession({ sessionToken, expires: secondsFromNow(1) })
    const shorter = await keys()
    expect(shorter[`:session:${sessionToken}`]).toBeLessThan(hour + 2000)
    expect(shorter[`:sessions-of:${user.id}`]).toBeGreaterThan(hour + 4_980_000)
    await startSession(adapter, user, secondsFromNow(10))
    expect((await keys())[`:sessions-of:${user.id}`]).toBeGreaterThan(hour + 4_980_000)
    expect(await adapter.listSessions(user.id)).toHaveLength(2)
  })

  test("expired records can be read for a while, and are then removed without a sweep", async () => {
    const { adapter, keys } = await createTestAdapter({ keepExpired: 2000 })
    const user = await adapter.createUser(newUser())
    const expires = secondsFromNow(-1)
    const sessionToken = await startSession(adapter, user, expires)
    const token = { identifier: user.email, token: "hash", expires }
    await adapter.createVerificationToken(token)
    const found = await adapter.getSessionAndUser(sessionToken)
    expect(found?.session).toEqual({ sessionToken, userId: user.id, expires })
    expect(await adapter.listSessions(user.id)).toEqual([])
    await vi.waitFor(
      async () => expect(Object.keys(await keys()).sort()).toEqual([":addresses", ":users"]),
      { timeout: 8000, interval: 100 },
    )
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await adapter.useVerificationToken(token)).toBeNull()
  })

  test("expired entries are removed from the set of a user when new ones are added", async () => {
    const { adapter, rows, prefix } = await createTestAdapter({ keepExpired: 100 })
    const user = await adapter.createUser(newUser())
    for (let index = 0; index < 5; index += 1) await startSession(adapter, user, secondsFromNow(0))
    const last = await startSession(adapter, user, secondsFromNow(100))
    await sleep(150)
    const sessionToken = await startSession(adapter, user, secondsFromNow(100))
    const names = (await adapter.listSessions(user.id)).map((session) => session.sessionToken)
    expect(names.sort()).toEqual([last, sessionToken].sort())
    expect(await rows.membersOf(`{${prefix}}:sessions-of:${user.id}`)).toHaveLength(2)
  })

  test("all keys of RedisSessions expire", async () => {
    const { sessions, users, keys } = await createTestSessions({ keepExpired: 2000 })
    const user = await users.createUser(newUser())
    await startSession(sessions, user, secondsFromNow(0.1))
    await sessions.createVerificationToken({
      identifier: user.email,
      token: "hash",
      expires: secondsFromNow(0),
    })
    const lives = Object.values(await keys())
    expect(lives).toHaveLength(3)
    for (const left of lives) expect(left).toBeGreaterThan(0)
    await vi.waitFor(async () => expect(await keys()).toEqual({}), { timeout: 8000, interval: 100 })
  })
})
