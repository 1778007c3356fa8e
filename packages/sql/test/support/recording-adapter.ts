import type { Engine, Statement } from "../../src/engine.ts"
import { openEngine } from "../../src/engines/open-engine.ts"
import { resolveOptions, type SqlAdapterOptions } from "../../src/options.ts"
import { createSqlAdapter, type SqlAdapter } from "../../src/sql-adapter.ts"
import type { TestDatabase } from "./database-kinds/database-kind.ts"

/** An adapter and its recorded statements. */
export interface RecordingAdapter {
  readonly adapter: SqlAdapter
  readonly statements: Statement[]
}

/** Creates an adapter whose statements are recorded. */
export function createRecordingAdapter(
  { database }: TestDatabase,
  options: SqlAdapterOptions = {},
): RecordingAdapter {
  const resolved = resolveOptions(options)
  const engine = openEngine(database, resolved)
  const statements: Statement[] = []
  const recording: Engine = {
    ...engine,
    execute(statement) {
      statements.push(statement)
      return engine.execute(statement)
    },
    transaction(batch) {
      statements.push(...batch)
      return engine.transaction(batch)
    },
  }
  return { adapter: createSqlAdapter(recording, resolved), statements }
}
