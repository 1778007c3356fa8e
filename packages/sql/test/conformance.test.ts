import {
  adapterConformance,
  type ConformanceContext,
  interruptibleConnection,
} from "@latchkey/testing"
import { describe, onTestFinished, test } from "vitest"
import { adapterOf, type Kind, type TestDatabase } from "./support/kinds/kind.ts"
import { allKinds, kinds } from "./support/kinds.ts"
import { counted, readerOf } from "./support/reader.ts"

describe.each(allKinds)("the shared suite, on $name", (kind) => {
  const connect = async () => {
    const opened = await kind.open()
    const adapter = adapterOf(kind, opened, { migrate: true })
    // Creates the tables.
    await adapter.getUser("nobody")
    return {
      adapter,
      db: readerOf(opened),
      ...second(kind, opened),
      ...(await interrupt(kind, opened)),
    }
  }
  adapterConformance({ test, connect, webauthn: true })
})

describe.each(kinds.filter(({ name }) => !/file/.test(name)))(
  "the shared suite with ids of the database, on $name",
  (kind) => {
    const connect = async () => {
      const opened = await kind.open()
      const adapter = adapterOf(kind, opened, { migrate: true, ids: "database" })
      return { adapter, db: readerOf(opened), fixtures: counted }
    }
    adapterConformance({ test, connect, webauthn: true })
  },
)

type Extra = Partial<ConformanceContext>

function second(kind: Kind, opened: TestDatabase): Extra {
  const database = opened.again?.()
  return database ? { second: adapterOf(kind, { ...opened, database }) } : {}
}

/** An adapter behind a connection that can be broken; it takes the place of the other one. */
async function interrupt(kind: Kind, opened: TestDatabase): Promise<Extra> {
  if (!opened.server || !opened.by) return {}
  const way = await interruptibleConnection(opened.server)
  onTestFinished(() => way[Symbol.asyncDispose]())
  const database = opened.by(way.port)
  return { adapter: adapterOf(kind, { ...opened, database }), interrupt: way.interrupt }
}
