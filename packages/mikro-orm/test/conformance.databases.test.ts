import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import {
  adapterCases,
  type ConformanceContext,
  createInterruptibleConnection,
  testAdapterConformance,
} from "@latchkey/testing/adapters"
import { afterAll, beforeAll, describe, test } from "vitest"
import { databaseKinds } from "./support/database-kinds.ts"
import { createRowReader } from "./support/row-reader.ts"

/** The cases that need a connection to a server. */
const interruptionCases = adapterCases
  .filter(({ needs = [] }) => needs.includes("interrupt"))
  .map(({ name }) => name)

/** The cases of methods that this adapter does not have: it leaves counting to the process, and pushes nothing. */
const missingCases = adapterCases
  .filter(({ needs = [] }) =>
    needs.some((need) => need === "countAttempt" || need === "watchSessionChanges"),
  )
  .map(({ name }) => name)

describe.each(databaseKinds)("the conformance suite, on $name", (kind) => {
  if (kind.unavailableReason !== undefined)
    return test.skip(`no ${kind.name}: ${kind.unavailableReason}`)
  const resources = new AsyncDisposableStack()
  let context: ConformanceContext

  beforeAll(async () => {
    const entities = defineEntities({}, { sessionRecords: true, secondFactor: true })
    const database = resources.use(await kind.create(entities))
    const second = MikroOrmAdapter(await database.reconnect())
    const db = createRowReader(database.orm)
    if (kind.port === undefined) {
      context = { adapter: MikroOrmAdapter(database.orm), second, db }
    } else {
      const connection = resources.use(await createInterruptibleConnection({ port: kind.port }))
      const adapter = MikroOrmAdapter(await database.reconnect(connection.port))
      context = { adapter, second, db, interrupt: connection.interrupt }
    }
  })
  afterAll(() => resources.disposeAsync())

  const skip = [...missingCases, ...(kind.port === undefined ? interruptionCases : [])]
  testAdapterConformance({ test, connect: () => context, webauthn: true, skip })
})
