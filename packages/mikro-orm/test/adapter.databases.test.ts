import { randomUUID } from "node:crypto"
import { defineEntities, MikroOrmAdapter, MikroOrmError } from "@latchkey/mikro-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { databaseKinds, type TestDatabase } from "./support/database-kinds.ts"
import { newAccount, newSession, newUser } from "./support/test-records.ts"

const loneSurrogate = "\uD800"

describe.each(databaseKinds)("MikroOrmAdapter, on $name", (kind) => {
  if (kind.unavailableReason !== undefined)
    return test.skip(`no ${kind.name}: ${kind.unavailableReason}`)
  const entities = defineEntities()
  let database: TestDatabase
  let adapter: ReturnType<typeof MikroOrmAdapter>

  beforeAll(async () => {
    database = await kind.create(entities)
    adapter = MikroOrmAdapter(database.orm)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  async function errorOf(work: () => unknown): Promise<unknown> {
    const [result] = await Promise.allSettled([(async () => work())()])
    const error: unknown = result.status === "rejected" ? result.reason : undefined
    expect(error).toBeInstanceOf(MikroOrmError)
    return error
  }

  test("errors have a code and no values", async () => {
    const user = await adapter.createUser(newUser())
    const account = newAccount(user.id, { access_token: "very-secret" })
    await adapter.linkAccount(account)
    const stranger = newSession("nobody-at-all")
    const errors = [
      await errorOf(() => adapter.createUser(newUser({ email: user.email }))),
      await errorOf(() => adapter.linkAccount(account)),
      await errorOf(() => adapter.createSession(stranger)),
      await errorOf(() => adapter.updateUser({ id: "nobody-at-all", name: "Eve" })),
      await errorOf(() => adapter.updateAuthenticatorCounter("no-passkey", 1)),
    ]
    expect(errors).toMatchObject([
      { code: "duplicate", operation: "createUser" },
      { code: "duplicate", operation: "linkAccount" },
      { code: "unknown-user", operation: "createSession" },
      { code: "not-found", operation: "updateUser" },
      { code: "not-found", operation: "updateAuthenticatorCounter" },
    ])
    const all = errors.map((error) => `${error} ${JSON.stringify(error)}`).join()
    const values = [user.email, "very-secret", account.providerAccountId, stranger.sessionToken]
    for (const value of [...values, "nobody-at-all", "Eve", "no-passkey"]) {
      expect(all).not.toContain(value)
    }
  })

  test("one of 32 concurrent tokens with the same key is stored", async () => {
    const token = { identifier: "a", token: randomUUID(), expires: new Date("2030-01-01") }
    const creations = Array.from({ length: 32 }, async () => adapter.createVerificationToken(token))
    const outcomes = await Promise.allSettled(creations)
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "duplicate" },
    })
  })

  test("the highest of several concurrent counters of a passkey is stored", async () => {
    const credentialID = randomUUID()
    const passkey = {
      userId: (await adapter.createUser(newUser())).id,
      credentialID,
      providerAccountId: credentialID,
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: null,
    }
    await adapter.createAuthenticator(passkey)
    const counters = Array.from({ length: 32 }, (_, index) => ((index * 19) % 32) + 1)
    const updates = counters.map((each) => adapter.updateAuthenticatorCounter(credentialID, each))
    for (const [index, updated] of (await Promise.all(updates)).entries())
      expect(updated.counter).toBeGreaterThanOrEqual(counters[index] ?? Infinity)
    const expected = { ...passkey, counter: 32 }
    expect(await adapter.getAuthenticator(credentialID)).toEqual(expected)
    expect(await adapter.updateAuthenticatorCounter(credentialID, 31)).toEqual(expected)
    expect(await adapter.getAuthenticator(credentialID)).toEqual(expected)
  })

  test("a session check is one statement, and a renewal one more", async () => {
    const { id } = await adapter.createUser(newUser())
    const session = newSession(id)
    await adapter.createSession(session)
    database.queries.length = 0
    await adapter.getSessionAndUser(session.sessionToken)
    expect(database.queries).toHaveLength(1)
    const { sessionToken, expires } = session
    expect(await adapter.updateSession({ sessionToken, expires })).not.toBeNull()
    expect(database.queries).toHaveLength(2)
    expect(await adapter.updateSession({ sessionToken: "unknown", expires })).toBeNull()
    expect(await adapter.getSessionAndUser("x".repeat(256))).toBeNull()
    expect(database.queries).toHaveLength(3)
  })

  test("values that cannot be stored unchanged are refused with the name of their property", async () => {
    const create = async (changes: object) => adapter.createUser({ ...newUser(), ...changes })
    await expect(create({ email: `${loneSurrogate}@example.com` })).rejects.toThrow("User.email")
    await expect(create({ email: "x".repeat(256) })).rejects.toThrow("255 characters")
    await expect(create({ name: "é".repeat(32_768) })).rejects.toThrow("65535 bytes")
    await expect(create({ name: {} })).rejects.toThrow("User.name must be text")
    await expect(create({ emailVerified: new Date(Number.NaN) })).rejects.toThrow("valid Date")
    // Four-byte characters count as one character.
    expect(await create({ email: "🦊".repeat(255) })).toMatchObject({ email: "🦊".repeat(255) })
  })

  test("a key that no row can have finds nothing", async () => {
    expect(await adapter.getUser(loneSurrogate)).toBeNull()
    expect(await adapter.getUserByEmail("")).toBeNull()
    expect(
      await adapter.getUserByAccount({ provider: loneSurrogate, providerAccountId: "1" }),
    ).toBeNull()
    expect(await adapter.getSessionAndUser(loneSurrogate)).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: loneSurrogate, token: "1" })).toBeNull()
    expect(await adapter.getAuthenticator(loneSurrogate)).toBeNull()
  })

  test("an id that the collation treats as that of a user finds nobody", async () => {
    const user = await adapter.createUser(newUser({ id: randomUUID() }))
    for (const id of [user.id.toUpperCase(), `${user.id} `]) {
      expect(await adapter.getUser(id)).toBeNull()
      expect(await errorOf(() => adapter.updateUser({ id, name: "Eve" }))).toMatchObject({
        code: "not-found",
      })
      expect(await adapter.deleteUser(id)).toBeNull()
    }
    expect(await adapter.getUser(user.id)).toEqual(user)
  })

  test("the character NUL is refused in stored keys, and finds nothing", async () => {
    const { id } = await adapter.createUser(newUser())
    const session = { ...newSession(id), sessionToken: "a\0b" }
    await expect(async () => adapter.createSession(session)).rejects.toThrow("without NUL")
    expect(await adapter.getSessionAndUser("a\0b")).toBeNull()
    expect(await adapter.getUser("\0")).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: "a", token: "b\0" })).toBeNull()
  })

  test("query conditions are refused as keys", async () => {
    const user = await adapter.createUser(newUser())
    const session = newSession(user.id)
    await adapter.createSession(session)
    const everybody = { $ne: "nobody" } as unknown as string
    expect(await adapter.listSessions(everybody)).toEqual([])
    expect(await adapter.deleteSessions(everybody)).toBe(0)
    expect(await adapter.listAuthenticatorsByUserId(everybody)).toEqual([])
    expect(await adapter.deleteUser(everybody)).toBeNull()
    await errorOf(() => adapter.updateUser({ id: everybody, name: "Eve" }))
    await errorOf(() => adapter.updateAuthenticatorCounter(everybody, 1))
    const madeUp = { ...newSession(""), userId: { email: "eve@example.com" } as unknown as string }
    await expect(async () => adapter.createSession(madeUp)).rejects.toThrow("Session.userId")
    expect(await adapter.getSessionAndUser(session.sessionToken)).toEqual({ session, user })
  })

  test.each(kind.name === "MariaDB" ? [kind] : [])(
    "values cannot end their own quotes",
    async () => {
      const { id } = await adapter.createUser(newUser())
      await adapter.createSession(newSession(id))
      expect(await adapter.getSessionAndUser("' or 1=1 -- ")).toBeNull()
      const mode = "set session sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'"
      const careless = MikroOrmAdapter(await database.reconnect(undefined, mode))
      const error = await errorOf(() => careless.getSessionAndUser("' or 1=1 -- "))
      expect(error).toMatchObject({ detail: expect.stringContaining("NO_BACKSLASH_ESCAPES") })
    },
  )

  test("a renewal that changes nothing finds the session", async () => {
    const { id } = await adapter.createUser(newUser())
    const { sessionToken } = await adapter.createSession(newSession(id))
    expect(await adapter.updateSession({ sessionToken })).not.toBeNull()
    expect(await adapter.updateSession({ sessionToken: "unknown" })).toBeNull()
  })

  test("unknown fields of a token response are not stored", async () => {
    const user = await adapter.createUser(newUser())
    const account = newAccount(user.id, { expires_at: 5_000_000_000.7, session_state: { a: [1] } })
    await adapter.linkAccount({ ...account, id: "chosen by them", not_before: 1 })
    const found = await adapter.getAccount(account.providerAccountId, account.provider)
    expect(found).toEqual({ ...account, expires_at: 5_000_000_000 })
  })

  test("deleting a user deletes the tokens of the address", async () => {
    const user = await adapter.createUser(newUser())
    const token = { identifier: user.email, token: "t", expires: new Date(Date.now() + 60_000) }
    await adapter.createVerificationToken(token)
    expect(await adapter.deleteUser(user.id)).toEqual(user)
    expect(await adapter.deleteUser(user.id)).toBeNull()
    expect(await adapter.useVerificationToken(token)).toBeNull()
  })

  test("pending changes of the application are not flushed", async () => {
    const em = database.orm.em.fork()
    const pending = em.create(entities.User, { email: "pending@example.com" })
    await adapter.createUser(newUser())
    expect(await adapter.getUserByEmail(pending.email)).toBeNull()
  })

  // The transaction uses the only connection of SQLite.
  test.each(kind.port === undefined ? [] : [kind])(
    "a transaction of the application does not include the adapter's changes",
    async () => {
      const inside = newUser()
      const work = database.orm.em.fork().transactional(async () => {
        await adapter.createUser(inside)
        throw new Error("rolled back")
      })
      await expect(work).rejects.toThrow("rolled back")
      expect(await adapter.getUser(inside.id)).toEqual(inside)
    },
  )

  test("many expired rows are deleted in several batches", async () => {
    const { id: user } = await adapter.createUser(newUser())
    const expires = new Date(0)
    const rows = Array.from({ length: 501 }, (_, index) => ({
      id: String(index),
      user,
      sessionToken: `expired ${index}`,
      expires,
    }))
    await database.orm.em.fork().insertMany(entities.Session, rows)
    expect(await adapter.deleteExpired(new Date(1), 500)).toBe(500)
    expect(await adapter.deleteExpired(new Date(1), 10_000)).toBe(1)
  })
})
