import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { MikroORM, NodeSqliteDialect, SqliteDriver } from "@mikro-orm/sql"
import { expect, onTestFinished, test } from "vitest"
import { newSession, newUser } from "./support/test-records.ts"

test("missing tables are reported", async () => {
  const adapter = MikroOrmAdapter(await openInMemory())
  await expect(adapter.getUser("1")).rejects.toMatchObject({ code: "unmigrated" })
  await expect(adapter.createUser(newUser())).rejects.toMatchObject({ code: "unmigrated" })
})

test("cached results of the application are not used", async () => {
  const orm = await openInMemory({ resultCache: { global: 60_000 } })
  await orm.schema.create()
  const [adapter, other] = [MikroOrmAdapter(orm), MikroOrmAdapter(orm)]
  const { id } = await adapter.createUser(newUser())
  const { sessionToken } = await adapter.createSession(newSession(id))
  expect(await adapter.getSessionAndUser(sessionToken)).not.toBeNull()
  await other.deleteSession(sessionToken)
  expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
})

test("nothing is read from a replica, where ended sessions still exist", async () => {
  const inMemory = () => ({ driverOptions: new NodeSqliteDialect(":memory:") })
  const orm = await MikroORM.init({
    driver: SqliteDriver,
    dbName: ":memory:",
    entities: Object.values(defineEntities()),
    replicas: [{ name: "behind", ...inMemory() }],
    ...inMemory(),
  })
  await orm.schema.create()
  const adapter = MikroOrmAdapter(orm)
  const user = await adapter.createUser(newUser())
  const session = newSession(user.id)
  await adapter.createSession(session)
  expect(await adapter.getSessionAndUser(session.sessionToken)).toEqual({ session, user })
  expect(await adapter.getUser(user.id)).toEqual(user)
  expect(await adapter.listSessions(user.id)).toEqual([session])
  expect(await adapter.deleteExpired(new Date(), 10)).toBe(0)
  await orm.close()
})

test("the entity for leases is optional", async () => {
  const { LatchkeyLease: _, ...entities } = defineEntities()
  const orm = await openInMemory({ entities: Object.values(entities) })
  await orm.schema.create()
  const adapter = MikroOrmAdapter(orm)
  const user = await adapter.createUser(newUser())
  await adapter.createSession({ ...newSession(user.id), expires: new Date(1000) })
  expect(await adapter.deleteExpired(new Date(1001), 10)).toBe(1)
  expect(await adapter.getUser(user.id)).toEqual(user)
  const lease = { key: "work", holder: "mine", lifetime: 60_000 }
  const refused = (async () => adapter.acquireLease(lease))()
  await expect(refused).rejects.toMatchObject({ code: "unmigrated", operation: "acquireLease" })
  await expect(refused).rejects.toThrow("MikroORM was not given the entity LatchkeyLease")
})

async function openInMemory(options: object = {}) {
  const orm = await MikroORM.init({
    driver: SqliteDriver,
    driverOptions: new NodeSqliteDialect(":memory:"),
    dbName: ":memory:",
    entities: Object.values(defineEntities()),
    ...options,
  })
  onTestFinished(() => orm.close())
  return orm
}
