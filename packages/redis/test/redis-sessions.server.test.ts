import { describe, expect, test, vi } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestSessions } from "./support/test-adapters.ts"
import { newUser, secondsFromNow, startSession } from "./support/test-records.ts"

describe.skipIf(!hasRedis)("RedisSessions", () => {
  test("replaces the methods for sessions, their records, e-mail tokens and leases, and `deleteUser`", async () => {
    const { sessions } = await createTestSessions()
    expect(Object.keys(sessions).sort()).toEqual([
      "acquireLease",
      "completeLease",
      "countAttempt",
      "createSession",
      "createVerificationToken",
      "deleteSession",
      "deleteSessionRecord",
      "deleteSessions",
      "deleteUser",
      "findSessionRecords",
      "getSessionAndUser",
      "getSessionRecord",
      "listSessionChanges",
      "listSessionRecords",
      "listSessions",
      "releaseLease",
      "resetAttempts",
      "saveSessionChange",
      "saveSessionRecord",
      "updateSession",
      "updateSessionRecord",
      "useVerificationToken",
      "watchSessionChanges",
    ])
  })

  test("sends one command and one query of the other adapter for a session check", async () => {
    const { sessions, users, commands } = await createTestSessions()
    const user = await users.createUser(newUser())
    const getUser = vi.spyOn(users, "getUser")
    const sessionToken = await startSession(sessions, user)
    expect(await commands(() => sessions.getSessionAndUser(sessionToken))).toBe(1)
    expect(getUser.mock.calls).toEqual([[user.id]])
  })

  test("rejects if the other adapter fails, and returns null for a deleted user", async () => {
    const { sessions, users } = await createTestSessions()
    const user = await users.createUser(newUser())
    const sessionToken = await startSession(sessions, user)
    vi.spyOn(users, "getUser").mockRejectedValueOnce(new Error("away"))
    await expect(sessions.getSessionAndUser(sessionToken)).rejects.toThrow("away")
    expect(await sessions.getSessionAndUser(sessionToken)).toMatchObject({ user })
    await users.deleteUser(user.id)
    expect(await sessions.getSessionAndUser(sessionToken)).toBeNull()
  })

  test("deletes a user in the other adapter, and their sessions and tokens in Redis", async () => {
    const { sessions, users, keys } = await createTestSessions()
    const user = await users.createUser(newUser())
    for (let index = 0; index < 3; index += 1) await startSession(sessions, user)
    const token = { identifier: user.email, token: "hash", expires: secondsFromNow(60) }
    await sessions.createVerificationToken(token)
    expect(await sessions.deleteUser?.(user.id)).toEqual(user)
    expect(await users.getUser(user.id)).toBeNull()
    expect(await keys()).toEqual({})
  })

  test("moves a session to another user", async () => {
    const { sessions, users } = await createTestSessions()
    const [user, other] = [await users.createUser(newUser()), await users.createUser(newUser())]
    const sessionToken = await startSession(sessions, user)
    await sessions.updateSession({ sessionToken, userId: other.id })
    expect((await sessions.getSessionAndUser(sessionToken))?.user).toEqual(other)
    expect(await sessions.deleteSessions(user.id)).toBe(0)
    expect(await sessions.deleteSessions(other.id)).toBe(1)
  })

  describe.each([0, 1, 2])("when the connection breaks after %i commands", (commands) => {
    test("a sign-in has stored no session, or succeeds when repeated", async () => {
      const { sessions, users, breakAfter, mend } = await createTestSessions()
      const user = await users.createUser(newUser())
      const session = { sessionToken: "one", userId: user.id, expires: secondsFromNow(100) }
      breakAfter(commands)
      const [interrupted] = await Promise.allSettled([sessions.createSession(session)])
      mend()
      expect(interrupted?.status).toBe(commands < 2 ? "rejected" : "fulfilled")
      const again = (async () => sessions.createSession(session))()
      await expect(again).rejects.toMatchObject({ code: "duplicate" })
      expect(await sessions.listSessions(user.id)).toEqual([session])
    })

    test("a renewed session stays in the list", async () => {
      const { sessions, users, breakAfter, mend, keys } = await createTestSessions()
      const user = await users.createUser(newUser())
      const sessionToken = await startSession(sessions, user, secondsFromNow(100))
      const renew = () => sessions.updateSession({ sessionToken, expires: secondsFromNow(9000) })
      breakAfter(commands)
      await expect((async () => renew())()).rejects.toMatchObject({ code: "unreachable" })
      mend()
      const lives = await keys()
      const session = lives[`:session:${sessionToken}`] ?? Number.NaN
      // The values are read one after the other, but the renewal is much larger than that difference.
      expect(lives[`:sessions-of:${user.id}`]).toBeGreaterThanOrEqual(session - 5000)
      expect(await sessions.listSessions(user.id)).toHaveLength(1)
      expect(await renew()).toMatchObject({ sessionToken })
    })

    test("deleting all sessions is completed when repeated", async () => {
      const { sessions, users, breakAfter, mend, keys } = await createTestSessions()
      const user = await users.createUser(newUser())
      for (let index = 0; index < 4; index += 1) await startSession(sessions, user)
      const kept = await startSession(sessions, user)
      breakAfter(commands)
      const ending = (async () => sessions.deleteSessions(user.id, { except: kept }))()
      await expect(ending).rejects.toMatchObject({ code: "unreachable" })
      mend()
      await sessions.deleteSessions(user.id, { except: kept })
      expect(await sessions.listSessions(user.id)).toMatchObject([{ sessionToken: kept }])
      expect(Object.keys(await keys())).toHaveLength(2)
    })
  })
})
