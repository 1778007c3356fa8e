import type { SqlAdapterOptions } from "@latchkey/sql"
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
    const adapter = createAdapter(kind, opened, { migrate: true, ...optionsFor(kind) })
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
      const options = {
        migrate: true,
        ids: "database",
        ...optionsFor(kind),
        notify: false,
      } as const
      const adapter = createAdapter(kind, opened, options)
      return { adapter, db: createRowReader(opened), fixtures: databaseIdFixtures }
    })
  },
)

/** Returns the options for all methods that the database can have. */
function optionsFor({ features }: DatabaseKind): SqlAdapterOptions {
  const notify = features?.includes("watchSessionChanges") ?? false
  return { sessionRecords: true, secondFactor: true, notify }
}

type ExtraContext = Partial<ConformanceContext>

function openSecondConnection(kind: DatabaseKind, opened: TestDatabase): ExtraContext {
  const database = opened.reconnect?.()
  return database ? { second: createAdapter(kind, { ...opened, database }, optionsFor(kind)) } : {}
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
  const adapter = createAdapter(kind, { ...opened, database }, optionsFor(kind))
  return { adapter, interrupt: connection.interrupt }
}
