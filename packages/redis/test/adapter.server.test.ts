import type { AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter } from "./support/test-adapters.ts"
import {
  newAccount,
  newChange,
  newPasskey,
  newRecord,
  newUser,
  secondsFromNow,
  startSession,
} from "./support/test-records.ts"

describe.skipIf(!hasRedis)("RedisAdapter", () => {
  test("has every method except deleteExpired", async () => {
    const { adapter } = await createTestAdapter()
    expect(Object.keys(adapter).sort()).toEqual([
      "acquireLease",
      "comparesKeysExactly",
      "completeLease",
      "countAttempt",
      "countUnprovenUsers",
      "createAuthenticator",
      "createFactor",
      "createSession",
      "createUser",
      "createUserWithAccount",
      "createVerificationToken",
      "deleteAuthenticator",
      "deleteFactor",
      "deleteSession",
      "deleteSessionRecord",
      "deleteSessions",
      "deleteUser",
      "findSessionRecords",
      "getAccount",
      "getAuthenticator",
      "getSessionAndUser",
      "getSessionRecord",
      "getUser",
      "getUserByAccount",
      "getUserByEmail",
      "linkAccount",
      "listAccounts",
      "listAuthenticatorsByUserId",
      "listFactors",
      "listSessionChanges",
      "listSessionRecords",
      "listSessions",
      "releaseLease",
      "resetAttempts",
      "saveSessionChange",
      "saveSessionRecord",
      "unlinkAccount",
      "updateAccount",
      "updateAuthenticatorCounter",
      "updateFactor",
      "updateSession",
      "updateSessionRecord",
      "updateUser",
      "useVerificationToken",
      "watchSessionChanges",
    ])
  })

  test("sends one command for a session check, and another for a renewal", async () => {
    const { adapter, commands } = await createTestAdapter()
    const sessionToken = await startSession(adapter, await adapter.createUser(newUser()))
    const check = () => adapter.getSessionAndUser(sessionToken)
    await adapter.updateSession({ sessionToken, expires: secondsFromNow(1000) })
    expect(await commands(check)).toBe(1)
    const renewal = () => adapter.updateSession({ sessionToken, expires: secondsFromNow(2000) })
    expect(await commands(renewal)).toBe(1)
  })

  test("stores all keys in one slot, each with the hash tag", async () => {
    const { adapter, prefix, keys } = await createTestAdapter()
    const user = await adapter.createUser(newUser())
    await adapter.linkAccount(newAccount(user))
    await adapter.createAuthenticator(newPasskey(user))
    await startSession(adapter, user)
    const token = { identifier: user.email, token: "hash", expires: secondsFromNow(60) }
    await adapter.createVerificationToken(token)
    await adapter.acquireLease({ key: "refresh", holder: "somebody", lifetime: 60_000 })
    const provider = { providerSession: "sid", providerSubject: "sub" }
    await adapter.saveSessionRecord(newRecord({ id: "r", userId: "u", ...provider }))
    await adapter.saveSessionChange(newChange())
    expect(Object.keys(await keys()).sort()).toEqual([
      `:accounts`,
      `:accounts-of:${user.id}`,
      `:addresses`,
      `:changes:expiries`,
      `:changes:times`,
      `:changes:values`,
      `:lease:refresh`,
      `:owners`,
      `:passkeys`,
      `:passkeys-of:${user.id}`,
      `:record:r`,
      `:records-of-provider-session:sid`,
      `:records-of-provider-subject:sub`,
      `:records-of:u`,
      `:session:${(await adapter.listSessions(user.id))[0]?.sessionToken}`,
      `:sessions-of:${user.id}`,
      `:tokens-of:${user.email}`,
      `:users`,
    ])
    expect(prefix).not.toMatch(/[{}]/)
  })

  test("deletes all records of a user", async () => {
    const { adapter, keys } = await createTestAdapter()
    const user = await adapter.createUserWithAccount(newUser(), newAccount(newUser()))
    await adapter.linkAccount(newAccount(user))
    await adapter.createAuthenticator(newPasskey(user))
    for (let index = 0; index < 3; index += 1) await startSession(adapter, user)
    const token = { identifier: user.email, token: "hash", expires: secondsFromNow(60) }
    await adapter.createVerificationToken(token)
    expect(await adapter.deleteUser(user.id)).toEqual(user)
    expect(await keys()).toEqual({})
    expect(await adapter.deleteUser(user.id)).toBeNull()
  })

  test("refuses records of an unknown user", async () => {
    const { adapter, keys } = await createTestAdapter()
    const nobody = newUser()
    const refused = [
      startSession(adapter, nobody),
      (async () => adapter.linkAccount(newAccount(nobody)))(),
      (async () => adapter.createAuthenticator(newPasskey(nobody)))(),
    ]
    for (const each of refused) {
      await expect(each).rejects.toMatchObject({ name: "RedisError", code: "unknown-user" })
    }
    expect(await keys()).toEqual({})
  })

  test("changes the address of a user, and frees the old one", async () => {
    const { adapter } = await createTestAdapter()
    const [user, other] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const taken = (async () => adapter.updateUser({ id: user.id, email: other.email }))()
    await expect(taken).rejects.toMatchObject({ code: "duplicate", operation: "updateUser" })
    const moved = await adapter.updateUser({ id: user.id, email: "new@example.test" })
    expect(await adapter.getUserByEmail("new@example.test")).toEqual(moved)
    expect(await adapter.getUserByEmail(user.email)).toBeNull()
    const heir = await adapter.createUser(newUser({ email: user.email }))
    expect(await adapter.getUserByEmail(user.email)).toEqual(heir)
    await adapter.updateUser({ id: heir.id, email: "" })
    expect(await adapter.getUserByEmail(user.email)).toBeNull()
    expect(await adapter.getUserByEmail("")).toBeNull()
  })

  test("moves an account and a session to another user", async () => {
    const { adapter, keys } = await createTestAdapter()
    const [user, other] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const account = newAccount(user)
    await adapter.linkAccount(account)
    const sessionToken = await startSession(adapter, user)
    await adapter.updateAccount({ ...account, userId: other.id })
    expect(await adapter.getUserByAccount(account)).toEqual(other)
    await adapter.updateSession({ sessionToken, userId: other.id })
    expect(await adapter.listSessions(user.id)).toEqual([])
    expect(await adapter.listSessions(other.id)).toMatchObject([{ sessionToken }])
    await adapter.deleteUser(user.id)
    expect((await adapter.getSessionAndUser(sessionToken))?.user).toEqual(other)
    expect(await adapter.getUserByAccount(account)).toEqual(other)
    await adapter.deleteUser(other.id)
    expect(await keys()).toEqual({})
    const orphan = adapter.updateAccount({ ...account, userId: "nobody" })
    expect(await orphan).toBeNull()
  })

  test("stores declared fields of users, and no others", async () => {
    const userFields = { role: "text", since: "date", settings: "json", age: "number" } as const
    const { adapter } = await createTestAdapter({ userFields })
    const since = new Date(1_234_567_890_123)
    const extra = { role: "owner", since, settings: { a: [null, 1.5], b: null }, age: 1e300 }
    const user = await adapter.createUser({ ...newUser(), ...extra, unknown: 1 } as AdapterUser)
    expect(user).toMatchObject(extra)
    expect(user).not.toHaveProperty("unknown")
    expect(await adapter.getUser(user.id)).toStrictEqual(user)
    const sessionToken = await startSession(adapter, user)
    expect((await adapter.getSessionAndUser(sessionToken))?.user).toStrictEqual(user)
    const emptied = { id: user.id, role: null } as Partial<AdapterUser> & { id: string }
    expect(await adapter.updateUser(emptied)).toStrictEqual({ ...user, role: null })
  })

  test("stores only known fields of an account, and numeric ids as text", async () => {
    const { adapter } = await createTestAdapter()
    const user = await adapter.createUser(newUser())
    const session_state = { nested: [{ deep: null }] }
    const account = { ...newAccount(user), session_state, odd: "x", expires_at: 1_900_000_000.7 }
    const numeric = { ...account, providerAccountId: 4711 } as unknown as AdapterAccount
    const { odd: _, ...kept } = { ...account, providerAccountId: "4711", expires_at: 1_900_000_000 }
    expect(await adapter.linkAccount(numeric)).toEqual(kept)
    expect(await adapter.getAccount("4711", account.provider)).toEqual(kept)
    expect(await adapter.getUserByAccount(numeric)).toEqual(user)
  })

  test.each([
    ["User.name", { name: { toString: (): string => "x" } }],
    ["User.email", { email: ["a@example.test"] }],
    ["User.name", { name: "lone \uD800 surrogate" }],
    ["User.emailVerified", { emailVerified: new Date(Number.NaN) }],
    ["User.id", { id: {} }],
  ])("refuses a %s of another kind: %o", async (field, facts) => {
    const { adapter, keys } = await createTestAdapter()
    const refused = (async () => adapter.createUser({ ...newUser(), ...(facts as object) }))()
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(field)
    expect(await keys()).toEqual({})
  })

  test("sends no command for keys that cannot exist", async () => {
    const { adapter, commands } = await createTestAdapter()
    const sessionToken = "t".repeat(513)
    const provider = "\uD800"
    const commandCount = await commands(async () => {
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      expect(await adapter.deleteSession(sessionToken)).toBeNull()
      expect(await adapter.updateSession({ sessionToken, expires: new Date() })).toBeNull()
      expect(await adapter.getUserByAccount({ provider, providerAccountId: "1" })).toBeNull()
      expect(await adapter.getUser("\uD800")).toBeNull()
    })
    expect(commandCount).toBe(0)
    const named = (async () => adapter.getUser({} as string))()
    await expect(named).rejects.toThrow(TypeError)
  })
})
