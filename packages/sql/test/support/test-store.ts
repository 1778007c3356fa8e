import type { SqlDatabase } from "@latchkey/sql"
import { openEngine } from "../../src/engines/open-engine.ts"
import { resolveOptions } from "../../src/options.ts"
import { createStore, type Store } from "../../src/store.ts"

/** Creates the store of an adapter without options. */
export function createTestStore(database: SqlDatabase): Store {
  const options = resolveOptions({})
  return createStore(openEngine(database, options), options)
}
