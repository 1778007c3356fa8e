import { type ConformanceContext, createInterruptibleConnection } from "@latchkey/testing"
import { describe } from "vitest"
import {
  createAdapter,
  type DatabaseKind,
  type OnFinished,
  type TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { suiteKinds, suiteVariantKinds } from "./support/database-kinds.ts"
import { createRowReader, databaseIdFixtures } from "./support/row-reader.ts"
import { runConformance } from "./support/run-conformance.ts"

describe.each(suiteKinds)("the conformance suite, on $name", (kind) => {
  const connect = async (onFinished: OnFinished) => {
    const opened = await kind.open(onFinished)
    const adapter = createAdapter(kind, opened, { migrate: true })
    // Creates the tables.
    await adapter.getUser("nobody")
    return {
      adapter,
      db: createRowReader(opened),
      ...openSecondConnection(kind, opened),
      ...(await createInterruption(kind, opened, onFinished)),
    }
  }
  runConformance(connect, kind.features)
})

describe.each(suiteVariantKinds)(
  "the conformance suite with ids of the database, on $name",
  (kind) => {
    runConformance(async (onFinished) => {
      const opened = await kind.open(onFinished)
      const adapter = createAdapter(kind, opened, { migrate: true, ids: "database" })
      return { adapter, db: createRowReader(opened), fixtures: databaseIdFixtures }
    })
  },
)

type ExtraContext = Partial<ConformanceContext>

function openSecondConnection(kind: DatabaseKind, opened: TestDatabase): ExtraContext {
  const database = opened.reconnect?.()
  return database ? { second: createAdapter(kind, { ...opened, database }) } : {}
}

/** Creates an adapter that uses an interruptible connection instead of the other one. */
async function createInterruption(
  kind: DatabaseKind,
  opened: TestDatabase,
  onFinished: OnFinished,
): Promise<ExtraContext> {
  if (!opened.server || !opened.connectThroughPort) return {}
  const connection = await createInterruptibleConnection(opened.server)
  onFinished(() => connection[Symbol.asyncDispose]())
  const database = opened.connectThroughPort(connection.port)
  return { adapter: createAdapter(kind, { ...opened, database }), interrupt: connection.interrupt }
}
