import {
  type ConformanceContext,
  createInterruptibleConnection,
  testAdapterConformance,
} from "@latchkey/testing"
import { describe, onTestFinished, test } from "vitest"
import {
  createAdapter,
  type DatabaseKind,
  type TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { databaseKinds, databaseKindsWithKysely } from "./support/database-kinds.ts"
import { createRowReader, databaseIdFixtures } from "./support/row-reader.ts"

describe.each(databaseKindsWithKysely)("the shared suite, on $name", (kind) => {
  const connect = async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    // Creates the tables.
    await adapter.getUser("nobody")
    return {
      adapter,
      db: createRowReader(opened),
      ...openSecondConnection(kind, opened),
      ...(await createInterruption(kind, opened)),
    }
  }
  testAdapterConformance({ test, connect, webauthn: true })
})

describe.each(databaseKinds.filter(({ name }) => !/file/.test(name)))(
  "the shared suite with ids of the database, on $name",
  (kind) => {
    const connect = async () => {
      const opened = await kind.open()
      const adapter = createAdapter(kind, opened, { migrate: true, ids: "database" })
      return { adapter, db: createRowReader(opened), fixtures: databaseIdFixtures }
    }
    testAdapterConformance({ test, connect, webauthn: true })
  },
)

type ExtraContext = Partial<ConformanceContext>

function openSecondConnection(kind: DatabaseKind, opened: TestDatabase): ExtraContext {
  const database = opened.reconnect?.()
  return database ? { second: createAdapter(kind, { ...opened, database }) } : {}
}

/** An adapter behind a connection that can be broken; it takes the place of the other one. */
async function createInterruption(kind: DatabaseKind, opened: TestDatabase): Promise<ExtraContext> {
  if (!opened.server || !opened.connectThroughPort) return {}
  const connection = await createInterruptibleConnection(opened.server)
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const database = opened.connectThroughPort(connection.port)
  return { adapter: createAdapter(kind, { ...opened, database }), interrupt: connection.interrupt }
}
