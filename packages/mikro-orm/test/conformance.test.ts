import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import {
  adapterConformance,
  type ConformanceContext,
  interruptibleConnection,
} from "@latchkey/testing/adapters"
import { afterAll, beforeAll, describe, test } from "vitest"
import { kinds } from "./support/databases.ts"
import { rowsOf } from "./support/rows.ts"

describe.each(kinds)("the shared suite, on $name", (kind) => {
  if (kind.missing !== undefined) return test.skip(`no ${kind.name}: ${kind.missing}`)
  const resources = new AsyncDisposableStack()
  let context: ConformanceContext

  beforeAll(async () => {
    const entities = defineEntities()
    const database = resources.use(await kind.create(entities))
    const second = MikroOrmAdapter(await database.again())
    const db = rowsOf(database.orm)
    if (kind.port === undefined) {
      context = { adapter: MikroOrmAdapter(database.orm), second, db }
    } else {
      const way = resources.use(await interruptibleConnection({ port: kind.port }))
      const adapter = MikroOrmAdapter(await database.again(way.port))
      context = { adapter, second, db, interrupt: way.interrupt }
    }
  })
  afterAll(() => resources.disposeAsync())

  adapterConformance({ test, connect: () => context, webauthn: true })
})
