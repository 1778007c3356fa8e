import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { defineEntity, EntityCaseNamingStrategy, p } from "@mikro-orm/core"
import { MikroORM, NodeSqliteDialect, SqliteDriver } from "@mikro-orm/sql"
import { expect, onTestFinished, test } from "vitest"
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
  return { getMetadata: () => metadata } as unknown as MikroORM
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
