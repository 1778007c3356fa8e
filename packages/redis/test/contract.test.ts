import type { AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import { fresh } from "./support/fresh.ts"
import { accountOf, inSeconds, passkeyOf, person, sessionOf } from "./support/people.ts"
import { hasRedis } from "./support/redis.ts"

describe.skipIf(!hasRedis)("RedisAdapter", () => {
  test("has every method but deleteExpired, for which there is nothing to do", async () => {
    const { adapter } = await fresh()
    expect(Object.keys(adapter).sort()).toEqual([
      "acquireLease",
      "createAuthenticator",
      "createSession",
      "createUser",
      "createUserWithAccount",
      "createVerificationToken",
      "deleteSession",
      "deleteSessions",
      "deleteUser",
      "getAccount",
      "getAuthenticator",
      "getSessionAndUser",
      "getUser",
      "getUserByAccount",
      "getUserByEmail",
      "linkAccount",
      "listAuthenticatorsByUserId",
      "listSessions",
      "releaseLease",
      "settleLease",
      "unlinkAccount",
      "updateAccount",
      "updateAuthenticatorCounter",
      "updateSession",
      "updateUser",
      "useVerificationToken",
    ])
  })

  test("asks once for a session check, and once more when the expiry is due", async () => {
    const { adapter, commands } = await fresh()
    const sessionToken = await sessionOf(adapter, await adapter.createUser(person()))
    const check = () => adapter.getSessionAndUser(sessionToken)
    await adapter.updateSession({ sessionToken, expires: inSeconds(1000) })
    expect(await commands(check)).toBe(1)
    const renewal = () => adapter.updateSession({ sessionToken, expires: inSeconds(2000) })
    expect(await commands(renewal)).toBe(1)
  })

  test("keeps all keys in one slot, each with the tag", async () => {
    const { adapter, prefix, keys } = await fresh()
    const user = await adapter.createUser(person())
    await adapter.linkAccount(accountOf(user))
    await adapter.createAuthenticator(passkeyOf(user))
    await sessionOf(adapter, user)
    const token = { identifier: user.email, token: "hash", expires: inSeconds(60) }
    await adapter.createVerificationToken(token)
    await adapter.acquireLease({ key: "refresh", holder: "somebody", lifetime: 60_000 })
    expect(Object.keys(await keys()).sort()).toEqual([
      `:accounts`,
      `:accounts-of:${user.id}`,
      `:addresses`,
      `:lease:refresh`,
      `:owners`,
      `:passkeys`,
      `:passkeys-of:${user.id}`,
      `:session:${(await adapter.listSessions(user.id))[0]?.sessionToken}`,
      `:sessions-of:${user.id}`,
      `:tokens-of:${user.email}`,
      `:users`,
    ])
    expect(prefix).not.toMatch(/[{}]/)
  })

  test("deletes a user without leaving anything", async () => {
    const { adapter, keys } = await fresh()
    const user = await adapter.createUserWithAccount(person(), accountOf(person()))
    await adapter.linkAccount(accountOf(user))
    await adapter.createAuthenticator(passkeyOf(user))
    for (let at = 0; at < 3; at += 1) await sessionOf(adapter, user)
    const token = { identifier: user.email, token: "hash", expires: inSeconds(60) }
    await adapter.createVerificationToken(token)
    expect(await adapter.deleteUser(user.id)).toEqual(user)
    expect(await keys()).toEqual({})
    expect(await adapter.deleteUser(user.id)).toBeNull()
  })

  test("refuses what belongs to nobody", async () => {
    const { adapter, keys } = await fresh()
    const nobody = person()
    const refused = [
      sessionOf(adapter, nobody),
      (async () => adapter.linkAccount(accountOf(nobody)))(),
      (async () => adapter.createAuthenticator(passkeyOf(nobody)))(),
    ]
    for (const each of refused) {
      await expect(each).rejects.toMatchObject({ name: "RedisError", code: "unknown-user" })
    }
    expect(await keys()).toEqual({})
  })

  test("gives a user another address, and the old one to somebody else", async () => {
    const { adapter } = await fresh()
    const [user, other] = [await adapter.createUser(person()), await adapter.createUser(person())]
    const taken = (async () => adapter.updateUser({ id: user.id, email: other.email }))()
    await expect(taken).rejects.toMatchObject({ code: "duplicate", operation: "updateUser" })
    const moved = await adapter.updateUser({ id: user.id, email: "new@example.test" })
    expect(await adapter.getUserByEmail("new@example.test")).toEqual(moved)
    expect(await adapter.getUserByEmail(user.email)).toBeNull()
    const heir = await adapter.createUser(person({ email: user.email }))
    expect(await adapter.getUserByEmail(user.email)).toEqual(heir)
    await adapter.updateUser({ id: heir.id, email: "" })
    expect(await adapter.getUserByEmail(user.email)).toBeNull()
    expect(await adapter.getUserByEmail("")).toBeNull()
  })

  test("moves an account and a session to another user", async () => {
    const { adapter, keys } = await fresh()
    const [user, other] = [await adapter.createUser(person()), await adapter.createUser(person())]
    const account = accountOf(user)
    await adapter.linkAccount(account)
    const sessionToken = await sessionOf(adapter, user)
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

  test("keeps declared fields of users, and no others", async () => {
    const userFields = { role: "text", since: "date", settings: "json", age: "number" } as const
    const { adapter } = await fresh({ userFields })
    const since = new Date(1_234_567_890_123)
    const extra = { role: "owner", since, settings: { a: [null, 1.5], b: null }, age: 1e300 }
    const user = await adapter.createUser({ ...person(), ...extra, unknown: 1 } as AdapterUser)
    expect(user).toMatchObject(extra)
    expect(user).not.toHaveProperty("unknown")
    expect(await adapter.getUser(user.id)).toStrictEqual(user)
    const sessionToken = await sessionOf(adapter, user)
    expect((await adapter.getSessionAndUser(sessionToken))?.user).toStrictEqual(user)
    const emptied = { id: user.id, role: null } as Partial<AdapterUser> & { id: string }
    expect(await adapter.updateUser(emptied)).toStrictEqual({ ...user, role: null })
  })

  test("takes for an account only what is known, and numbers as names", async () => {
    const { adapter } = await fresh()
    const user = await adapter.createUser(person())
    const session_state = { nested: [{ deep: null }] }
    const account = { ...accountOf(user), session_state, odd: "x", expires_at: 1_900_000_000.7 }
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
    const { adapter, keys } = await fresh()
    const refused = (async () => adapter.createUser({ ...person(), ...(facts as object) }))()
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(field)
    expect(await keys()).toEqual({})
  })

  test("does not ask Redis for names that nothing can have", async () => {
    const { adapter, commands } = await fresh()
    const sessionToken = "t".repeat(513)
    const provider = "\uD800"
    const asked = await commands(async () => {
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      expect(await adapter.deleteSession(sessionToken)).toBeNull()
      expect(await adapter.updateSession({ sessionToken, expires: new Date() })).toBeNull()
      expect(await adapter.getUserByAccount({ provider, providerAccountId: "1" })).toBeNull()
      expect(await adapter.getUser("\uD800")).toBeNull()
    })
    expect(asked).toBe(0)
    const named = (async () => adapter.getUser({} as string))()
    await expect(named).rejects.toThrow(TypeError)
  })
})
