import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { interruptibleConnection } from "@latchkey/testing/adapters"
import { MikroORM, NodeSqliteDialect, SqliteDriver } from "@mikro-orm/sql"
import { describe, expect, onTestFinished, test } from "vitest"
import { kinds } from "./support/databases.ts"
import { sessionOf, somebody } from "./support/people.ts"

const servers = kinds.filter(({ port }) => port !== undefined)

describe.each(servers)("$name", (kind) => {
  if (kind.missing !== undefined) return test.skip(`no ${kind.name}: ${kind.missing}`)

  test("a server that is away is no signed-out person", { timeout: 30_000 }, async () => {
    const entities = defineEntities()
    const database = await kind.create(entities)
    onTestFinished(() => database[Symbol.asyncDispose]())
    const way = await interruptibleConnection({ port: kind.port ?? 0 })
    const adapter = MikroOrmAdapter(await database.again(way.port))
    const { id } = await adapter.createUser(somebody())
    const session = sessionOf(id)
    await adapter.createSession(session)
    await way[Symbol.asyncDispose]()
    for (let attempt = 0; attempt < 15; attempt += 1) {
      // More often than the pool has connections: none is kept.
      await expect(adapter.createUser(somebody())).rejects.toMatchObject({ code: "unreachable" })
    }
    await expect(adapter.getSessionAndUser(session.sessionToken)).rejects.toMatchObject({
      code: "unreachable",
      operation: "getSessionAndUser",
    })
  })
})

test("tables that are missing are called so", async () => {
  const adapter = MikroOrmAdapter(await inMemory())
  await expect(adapter.getUser("1")).rejects.toMatchObject({ code: "unmigrated" })
  await expect(adapter.createUser(somebody())).rejects.toMatchObject({ code: "unmigrated" })
})

test("an answer that the application's cache has kept lets nobody in", async () => {
  const orm = await inMemory({ resultCache: { global: 60_000 } })
  await orm.schema.create()
  const [adapter, other] = [MikroOrmAdapter(orm), MikroOrmAdapter(orm)]
  const { id } = await adapter.createUser(somebody())
  const { sessionToken } = await adapter.createSession(sessionOf(id))
  expect(await adapter.getSessionAndUser(sessionToken)).not.toBeNull()
  await other.deleteSession(sessionToken)
  expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
})

async function inMemory(options: object = {}) {
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
