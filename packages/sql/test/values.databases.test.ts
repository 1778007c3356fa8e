import type { AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import type { JsonValue } from "@latchkey/core/types"
import type { SqlAdapter } from "@latchkey/sql"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createAdapter } from "./support/database-kinds/database-kind.ts"
import { databaseKindsWithKysely } from "./support/database-kinds.ts"
import { createSignedInUser, newAccount, newUser } from "./support/test-records.ts"

const hostile = [
  `'; drop table "User"; --`,
  `" or "1"="1`,
  "%_*?$1:name@p",
  'O\'Brien "the" `Great`',
  "ünïcödé 名前 🗝️ \u202Eright to left",
  "line\nbreak\ttab",
  "",
  " ",
  "null",
  "__proto__",
]

/** Any character but a surrogate. The unit `binary` of fast-check would first build a map of a million characters. */
const anyCharacter = fc
  .nat({ max: 0x10ffff })
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))

/** Servers support years with four digits. */
const writable = {
  min: new Date("1000-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
}

describe.each(databaseKindsWithKysely)("stored values are returned unchanged, on $name", (kind) => {
  const holdsNul = kind.dialect !== "postgres"
  const resources = new AsyncDisposableStack()
  let adapter: SqlAdapter

  // One database for all tests, because creating it takes longer than a test: each has values of its own.
  beforeAll(async () => {
    const database = await kind.open((release) => resources.defer(release))
    adapter = createAdapter(kind, database, { migrate: true })
  })
  afterAll(() => resources.disposeAsync())

  test.each(hostile)("a name, an address, a key and a token: %j", async (text) => {
    const other = await createSignedInUser(adapter)
    const user = newUser({ id: `${text}1`, name: text, email: `${text}@x`, image: text })
    const account = newAccount(user, { provider: text, providerAccountId: text, scope: text })
    const token = { identifier: text, token: text, expires: new Date(0) }

    expect(await adapter.createUser(user)).toEqual(user)
    await adapter.linkAccount(account)
    await adapter.createVerificationToken(token)

    expect(await adapter.getUser(user.id)).toEqual(user)
    expect(await adapter.getUserByEmail(user.email)).toEqual(user)
    expect(await adapter.getUserByAccount(account)).toEqual(user)
    expect(await adapter.getAccount(text, text)).toEqual(account)
    expect(await adapter.useVerificationToken(token)).toEqual(token)
    expect(await adapter.getUser(other.user.id)).toEqual(other.user)
  })

  test("long text in columns without an index", async () => {
    const long = "€".repeat(100_000)
    const user = await adapter.createUser(newUser({ name: long, image: long }))
    const account = newAccount(user, { id_token: long, scope: long, session_state: long })
    await adapter.linkAccount(account)
    expect(await adapter.getUser(user.id)).toMatchObject({ name: long, image: long })
    expect(await adapter.getAccount(account.providerAccountId, account.provider)).toEqual(account)
  })

  test("the character NUL, if the database supports it", async () => {
    const stored = adapter.createUser(newUser({ name: "a\0b" }))
    if (holdsNul) expect(await stored).toMatchObject({ name: "a\0b" })
    else await expect(stored).rejects.toThrow("User.name must be well-formed text without NUL")
    expect(await adapter.getUserByEmail("a\0b@example.test")).toBeNull()
  })

  test("similar characters and trailing spaces, as different keys", async () => {
    const names = ["e", "é", "E", "e ", "ß", "ss", "\u{1F600}", "\u{1F601}"]
    for (const name of names) {
      const user = await adapter.createUser(newUser({ email: `${name}@example.test` }))
      await adapter.linkAccount(newAccount(user, { providerAccountId: name }))
      await adapter.createSession({ sessionToken: name, userId: user.id, expires: new Date(2e12) })
    }
    for (const name of names) {
      const email = `${name}@example.test`
      const key = { provider: "tenantidp", providerAccountId: name }
      expect(await adapter.getUserByAccount(key)).toMatchObject({ email })
      expect(await adapter.getUserByEmail(email)).toMatchObject({ email })
      expect((await adapter.getSessionAndUser(name))?.user).toMatchObject({ email })
    }
  })

  test("any well-formed text and any date", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: anyCharacter })
          .map((text) => (holdsNul ? text : text.replaceAll("\0", ""))),
        fc.date({ noInvalidDate: true, ...(kind.dialect === "sqlite" ? {} : writable) }),
        async (name, emailVerified) => {
          const user = newUser({ name, emailVerified })
          expect(await adapter.createUser(user)).toEqual(user)
          expect(await adapter.getUser(user.id)).toEqual(user)
        },
      ),
      { numRuns: kind.dialect === "sqlite" ? 200 : 60 },
    )
  })

  test.each(["text", 0, false, null, [], { nested: [{ "quote'": '"' }, null, 1.5, "ü"] }])(
    "any JSON as session_state: %j",
    async (session_state) => {
      const user = await adapter.createUser(newUser())
      const account = newAccount(user, { session_state })
      expect(await adapter.linkAccount(account)).toEqual(account)
      const found = await adapter.getAccount(account.providerAccountId, account.provider)
      expect(found).toStrictEqual(account)
    },
  )

  test("missing fields of an account are absent, not null", async () => {
    const user = await adapter.createUser(newUser())
    const account = newAccount(user)
    await adapter.linkAccount(account)
    const found = await adapter.getAccount(account.providerAccountId, account.provider)
    expect(found).toStrictEqual(account)
  })

  test("unknown fields of a token response are not stored", async () => {
    const user = await adapter.createUser(newUser())
    const account = newAccount(user, {
      access_token: "a",
      expires_in: 3600,
      authorization_details: [{ type: "x" }],
      "weird'; key\"": { deep: () => 1 } as unknown as JsonValue,
      nothing: undefined,
    })
    await adapter.linkAccount(account)
    const found = await adapter.getAccount(account.providerAccountId, account.provider)
    expect(found).toStrictEqual(
      newAccount(user, { ...pickKnownFields(account), access_token: "a" }),
    )
  })

  test("unknown fields of a profile are not stored", async () => {
    const user = newUser()
    const newUserRecord = { ...user, locale: "de", roles: ["a"], nothing: undefined }
    expect(await adapter.createUser(newUserRecord)).toEqual(user)
    expect(await adapter.updateUser({ ...newUserRecord, name: "N" })).toEqual({
      ...user,
      name: "N",
    })
  })

  test("a missing name and image are null", async () => {
    const user = { id: "only-id", email: "o@example.test", emailVerified: null }
    const expected = { ...user, name: null, image: null }
    expect(await adapter.createUser(user)).toEqual(expected)
    expect(await adapter.getUser("only-id")).toEqual(expected)
  })

  test("a user without an id gets one", async () => {
    const { id: _, ...rest } = newUser()
    const user = await adapter.createUser(rest as AdapterUser)
    expect(user).toMatchObject({ ...rest, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(await adapter.getUser(user.id)).toEqual(user)
  })

  test("undefined keeps a field, null clears it", async () => {
    const user = await adapter.createUser(
      newUser({ image: "https://i", emailVerified: new Date(5) }),
    )
    // A JavaScript caller may pass undefined, which the type does not allow.
    const unchanged: object = { id: user.id, name: undefined, image: null }
    await adapter.updateUser(unchanged as { id: string })
    expect(await adapter.getUser(user.id)).toEqual({ ...user, image: null })
    await adapter.updateUser({ id: user.id, emailVerified: null })
    expect(await adapter.getUser(user.id)).toMatchObject({ emailVerified: null, name: user.name })
  })

  test("a numeric provider account id is the same as its text", async () => {
    const user = await adapter.createUser(newUser())
    const numeric = { ...newAccount(user), providerAccountId: 4711 }
    await adapter.linkAccount(numeric as unknown as AdapterAccount)
    const { provider } = numeric
    expect(await adapter.getUserByAccount({ provider, providerAccountId: "4711" })).toEqual(user)
    const key = { provider, providerAccountId: 4711 as unknown as string }
    expect(await adapter.getUserByAccount(key)).toEqual(user)
  })

  test("the expiry of a token is in whole seconds, however large", async () => {
    const user = await adapter.createUser(newUser())
    const odd = [
      [1_900_000_000.7, 1_900_000_000],
      [1e300, Number.MAX_SAFE_INTEGER],
    ] as const
    for (const [input, kept] of odd) {
      const account = newAccount(user, { expires_at: input })
      await adapter.linkAccount(account)
      const found = await adapter.getAccount(account.providerAccountId, account.provider)
      expect(found?.expires_at).toBe(kept)
    }
  })
})

describe.each(databaseKindsWithKysely)("invalid values are refused, on $name", (kind) => {
  const invalid = (value: unknown) => value as string

  test.each([
    ["User.name", { name: invalid({ toString: () => "x" }) }],
    ["User.email", { email: invalid(["a@example.test"]) }],
    ["User.name", { name: "lone \uD800 surrogate" }],
    ["User.image", { image: invalid(true) }],
    ["User.emailVerified", { emailVerified: new Date(Number.NaN) }],
  ])("%s: %o", async (column, facts) => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const refused = adapter.createUser(newUser(facts))
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(column)
  })

  test("an object instead of a key never reaches the driver", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    await createSignedInUser(adapter)
    const named = invalid({ 1: "x" })
    await expect(adapter.getSessionAndUser(named)).rejects.toThrow(TypeError)
    await expect(adapter.getUser(named)).rejects.toThrow(TypeError)
    await expect(adapter.useVerificationToken({ identifier: named, token: named })).rejects.toThrow(
      TypeError,
    )
  })

  test("text that cannot be stored finds nothing", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    await adapter.createUser(newUser({ email: "\uFFFD@example.test" }))
    expect(await adapter.getUserByEmail("\uD800@example.test")).toBeNull()
    expect(await adapter.getUserByEmail("\uFFFD@example.test")).not.toBeNull()
  })

  test("an unknown account type", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const user = await adapter.createUser(newUser())
    const account = { ...newAccount(user), type: "credentials" } as unknown as AdapterAccount
    await expect(adapter.linkAccount(account)).rejects.toThrow("Account.type")
  })
})

describe.each(databaseKindsWithKysely)("keys that are too long, on $name", (kind) => {
  const long = (length: number) => "\u20AC".repeat(length)

  test("are refused with the maximum length, and find nothing", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const user = await adapter.createUser(newUser())
    const refused: [what: string, longest: number, () => unknown][] = [
      ["User.id", 255, () => adapter.createUser(newUser({ id: long(256) }))],
      ["User.email", 320, () => adapter.createUser(newUser({ email: long(321) }))],
      [
        "Account.provider",
        128,
        () => adapter.linkAccount(newAccount(user, { provider: long(129) })),
      ],
      [
        "Account.providerAccountId",
        640,
        () => adapter.linkAccount(newAccount(user, { providerAccountId: long(641) })),
      ],
    ]
    for (const [column, longest, store] of refused) {
      await expect(store).rejects.toThrow(`${column} must be text of ${longest} characters at most`)
    }
    expect(await adapter.getUser(long(256))).toBeNull()
    expect(await adapter.getUserByEmail(long(321))).toBeNull()
    expect(await adapter.getAccount(long(641), "x")).toBeNull()
  })

  test("are stored unchanged at the maximum length", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    // PostgreSQL indexes at most 2700 bytes.
    const character = kind.dialect === "postgres" ? "x" : "\u{1F5DD}"
    const full = (length: number) => character.repeat(length / character.length)
    const user = await adapter.createUser(newUser({ id: full(254), email: full(320) }))
    const account = newAccount(user, { provider: full(128), providerAccountId: full(640) })
    await adapter.linkAccount(account)
    const { provider, providerAccountId } = account
    expect(await adapter.getUserByAccount({ provider, providerAccountId })).toEqual(user)
    const token = { identifier: full(320), token: full(254), expires: new Date("2030-01-01") }
    await adapter.createVerificationToken(token)
    expect(await adapter.useVerificationToken(token)).toEqual(token)
  })
})

describe.each(databaseKindsWithKysely)("long session tokens, on $name", (kind) => {
  test("work up to 512 characters", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const { user } = await createSignedInUser(adapter)
    const session = { userId: user.id, expires: new Date("2030-01-01") }
    await adapter.createSession({ ...session, sessionToken: "t".repeat(512) })
    expect(await adapter.getSessionAndUser("t".repeat(512))).toMatchObject({ user })
    const tooLong = adapter.createSession({ ...session, sessionToken: "t".repeat(513) })
    await expect(tooLong).rejects.toThrow("512")
  })

  test("above that limit are unknown without a query", async () => {
    const adapter = createAdapter(kind, await kind.open())
    const sessionToken = "t".repeat(513)
    // Without tables, a statement would fail.
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await adapter.deleteSession(sessionToken)).toBeNull()
    expect(await adapter.updateSession({ sessionToken, expires: new Date() })).toBeNull()
    await expect(adapter.getSessionAndUser("t")).rejects.toMatchObject({ code: "unmigrated" })
  })
})

function pickKnownFields({ type, provider, providerAccountId }: AdapterAccount) {
  return { type, provider, providerAccountId }
}
