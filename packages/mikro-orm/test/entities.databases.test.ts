import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { type EntitySchema, p } from "@mikro-orm/core"
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest"
import { databaseKinds, type TestDatabase } from "./support/database-kinds.ts"
import { newAccount, newSession, newUser } from "./support/test-records.ts"

const changes = {
  User: {
    tableName: "member",
    properties: {
      role: p.string().default("reader"),
      passwordHash: p.string().nullable().hidden(),
      changedAt: p
        .datetime()
        .nullable()
        .onUpdate(() => new Date(0)),
    },
  },
  Session: { properties: { device: p.string().nullable() } },
} as const

describe.each(databaseKinds)("entities, on $name", (kind) => {
  if (kind.unavailableReason !== undefined)
    return test.skip(`no ${kind.name}: ${kind.unavailableReason}`)
  const entities = defineEntities(changes)
  let database: TestDatabase

  beforeAll(async () => {
    database = await kind.create(entities)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test("create a complete schema", async () => {
    expect(await database.orm.schema.getUpdateSchemaSQL()).toBe("")
  })

  test("a user has accounts and sessions", async () => {
    const adapter = MikroOrmAdapter(database.orm)
    const { id } = await adapter.createUser(newUser())
    const account = await adapter.linkAccount(newAccount(id, { access_token: "secret" }))
    const session = newSession(id)
    await adapter.createSession(session)
    const em = database.orm.em.fork()
    const user = await em.findOneOrFail(entities.User, id, { populate: ["accounts", "sessions"] })
    expect(user.accounts.getItems()).toMatchObject([{ ...account, user: { id } }])
    expect(user.sessions.getItems()).toMatchObject([session])
    // Tokens are not serialized by accident.
    const shown = JSON.stringify(user)
    expect(shown).toContain(account?.providerAccountId)
    expect(shown).not.toContain("secret")
    expect(shown).not.toContain(session.sessionToken)
  })

  test.each(["Account", "Session", "Authenticator"] as const)(
    "%s has the property userId, which follows the owner",
    async (name) => {
      const entity: EntitySchema = entities[name]
      const { userId } = database.orm.getMetadata().get(entity).properties
      expect(userId).toMatchObject({ type: "string", persist: false })
      const em = database.orm.em.fork()
      const [user, other] = [em.create(entities.User, {}), em.create(entities.User, {})]
      const owned = em.create<{ user: object; userId: string }>(entity, { user }, { partial: true })
      expect(owned.userId).toBe(user.id)
      owned.user = other
      expect(owned.userId).toBe(other.id)
    },
  )

  test("`userId` is read with the entity and found in queries", async () => {
    const adapter = MikroOrmAdapter(database.orm)
    const { id } = await adapter.createUser(newUser())
    await adapter.linkAccount(newAccount(id))
    await adapter.createSession(newSession(id))
    const em = database.orm.em.fork()
    expect(await em.find(entities.Account, { userId: id })).toMatchObject([{ userId: id }])
    expect(await em.find(entities.Session, { userId: id })).toMatchObject([{ userId: id }])
    expect(JSON.stringify(await em.find(entities.Session, { user: id }))).toContain(
      `"userId":"${id}"`,
    )
  })

  test("the e-mail address defaults to the empty string, and its column to NULL", async () => {
    const { email } = database.orm.getMetadata().get(entities.User).properties
    expect(email).toMatchObject({ default: "", nullable: true })
    const sql = await database.orm.schema.getCreateSchemaSQL()
    expect(sql).not.toMatch(/email\W[^,]*default/)
  })

  test("users stored by other versions are read", async () => {
    const em = database.orm.em.fork()
    const connection = em.getConnection()
    for (const id of ["old-1", "old-2"]) {
      await connection.execute("insert into member (id, role) values (?, 'reader')", [id])
    }
    const found = await em.find(entities.User, { id: ["old-1", "old-2"] })
    expect(found).toMatchObject([{ email: "" }, { email: "" }])
    expect(await MikroOrmAdapter(database.orm).getUser("old-1")).toMatchObject({ email: "" })
  })

  test("a new user has no address and no verification date", async () => {
    const em = database.orm.em.fork()
    const users = [em.create(entities.User, {}), em.create(entities.User, { name: "Grace" })]
    await em.flush()
    expect(users).toMatchObject([{ email: "", emailVerified: null }, { email: "" }])
    em.clear()
    const found = await em.findOneOrFail(entities.User, users[0]?.id ?? "")
    expect(found).toMatchObject({ email: "", emailVerified: null, role: "reader" })
    // Reading does not mark the entity as changed.
    database.queries.length = 0
    await em.flush()
    expect(database.queries).toEqual([])
    found.email = "grace@example.com"
    await em.flush()
    found.email = ""
    await em.flush()
    expect(await em.fork().findOneOrFail(entities.User, found.id)).toMatchObject({ email: "" })
  })

  test("properties of the application are part of the record, unless they are hidden", async () => {
    const adapter = MikroOrmAdapter(database.orm)
    const newUserRecord = { ...newUser(), role: "writer", passwordHash: "scrypt", unknown: 1 }
    const created = await adapter.createUser(newUserRecord)
    expect(created).toMatchObject({ role: "writer" })
    const { passwordHash: _, unknown: __, ...visible } = newUserRecord
    expect(await adapter.getUser(created.id)).toEqual({ ...visible, changedAt: null })
    const stored = await database.orm.em.fork().findOneOrFail(entities.User, created.id)
    expect(stored.passwordHash).toBe("scrypt")
    expectTypeOf(stored.passwordHash).toExtend<string | null | undefined>()
    expectTypeOf(stored.role).toExtend<string>()
    const updated = await adapter.updateUser({ id: created.id, name: "Renamed" })
    expect(updated).toMatchObject({ name: "Renamed", role: "writer", changedAt: new Date(0) })

    const session = { ...newSession(created.id), device: "phone" }
    await adapter.createSession(session)
    expect(await adapter.listSessions(created.id)).toEqual([session])
    expect((await adapter.getSessionAndUser(session.sessionToken))?.session).toEqual(session)
  })
})
