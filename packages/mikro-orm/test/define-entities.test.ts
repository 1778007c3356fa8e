import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { defineEntity, EntityCaseNamingStrategy, p } from "@mikro-orm/core"
import { MikroORM, NodeSqliteDialect, SqliteDriver } from "@mikro-orm/sql"
import { expect, expectTypeOf, onTestFinished, test } from "vitest"
import { newAccount, newUser } from "./support/test-records.ts"

test("a built-in property cannot be replaced", () => {
  const replaced = { User: { properties: { email: p.string() } } }
  expect(() => defineEntities(replaced)).toThrow(
    "defineEntities: User already has a property email",
  )
})

test("the adapter finds its entities, or names the missing ones", async () => {
  const { Authenticator: _, ...some } = defineEntities()
  const [one, two] = [defineEntities(), defineEntities()]
  const twice = { ...one, ...Object.fromEntries(Object.entries(two).map(([n, e]) => [`${n}2`, e])) }
  const needs = "needs the entities of one call of defineEntities"
  expect(() => MikroOrmAdapter(initWithEntities({ ...some, Other }))).toThrow(needs)
  expect(() => MikroOrmAdapter(initWithEntities({ Other }))).toThrow(needs)
  expect(() => MikroOrmAdapter(initWithEntities(twice))).toThrow(needs)
  expect(() => MikroOrmAdapter(initWithEntities({ ...one, Other }))).not.toThrow()
})

test("entities of session records are defined only on request", async () => {
  const entities = defineEntities()
  const names = [
    "User",
    "Account",
    "Session",
    "VerificationToken",
    "Authenticator",
    "LatchkeyLease",
  ]
  expect(Object.keys(entities)).toEqual(names)
  expectTypeOf(entities).not.toHaveProperty("LatchkeySessionRecord")
  const adapter = MikroOrmAdapter(await openInMemory(entities))
  expect(Object.keys(adapter).filter((name) => /SessionRecord|SessionChange/.test(name))).toEqual(
    [],
  )
  // An own property that is undefined would replace the method of another adapter.
  expect(Object.values(adapter)).not.toContain(undefined)
  const user = newUser()
  await adapter.createUser(user)
  expect(await adapter.deleteUser(user.id)).toEqual(user)
  expect(await adapter.deleteExpired(new Date(), 10)).toBe(0)

  const more = defineEntities({}, { sessionRecords: true })
  expect(Object.keys(more)).toEqual([...names, "LatchkeySessionRecord", "LatchkeySessionChange"])
  expectTypeOf(more).toHaveProperty("LatchkeySessionRecord")
  expectTypeOf(more).not.toHaveProperty("LatchkeyFactor")
  const { LatchkeySessionChange: _, ...incomplete } = more
  const methods = (chosen: object) => Object.keys(MikroOrmAdapter(initWithEntities(chosen)))
  expect(methods(incomplete)).not.toContain("saveSessionRecord")
  expect(methods(more)).toContain("saveSessionRecord")
})

test("the entity of second factors is defined only on request", async () => {
  const entities = defineEntities({}, { secondFactor: true })
  expect(Object.keys(entities)).toContain("LatchkeyFactor")
  expect(Object.keys(entities)).not.toContain("LatchkeySessionRecord")
  expectTypeOf(entities).toHaveProperty("LatchkeyFactor")
  const adapter = MikroOrmAdapter(await openInMemory(entities))
  expect(adapter).toHaveProperty("createFactor")
  expect(Object.values(adapter)).not.toContain(undefined)
  expect(MikroOrmAdapter(initWithEntities(defineEntities()))).not.toHaveProperty("createFactor")
})

test("any naming strategy works", async () => {
  const entities = defineEntities()
  const orm = await openInMemory(entities, EntityCaseNamingStrategy)
  const adapter = MikroOrmAdapter(orm)
  const user = newUser()
  const account = newAccount(user.id)
  await adapter.createUserWithAccount(user, account)
  expect(await adapter.getUserByAccount(account)).toEqual(user)
  expect(await adapter.getAccount(account.providerAccountId, account.provider)).toEqual(account)
})

const Other = defineEntity({ name: "Other", properties: { id: p.integer().primary() } })

/** The part of `MikroORM` that the adapter reads to find its entities. */
function initWithEntities(entities: object) {
  const metadata = Object.values(entities).map((entity) => ({ class: entity.class }))
  const em = { getPlatform: () => ({ getDefaultCharset: () => "utf8" }) }
  return { getMetadata: () => metadata, em } as unknown as MikroORM
}

async function openInMemory(entities: object, namingStrategy?: typeof EntityCaseNamingStrategy) {
  const orm = await MikroORM.init({
    driver: SqliteDriver,
    driverOptions: new NodeSqliteDialect(":memory:"),
    dbName: ":memory:",
    entities: Object.values(entities),
    ...(namingStrategy && { namingStrategy }),
  })
  onTestFinished(() => orm.close())
  await orm.schema.create()
  return orm
}
