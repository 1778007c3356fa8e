import type { Store } from "../store.ts"
import { listOptionalMigrations, migrations } from "./all-migrations.ts"
import { createMigrationTable, recordStep } from "./migration-record.ts"
import { planStep } from "./plan-step.ts"
import { createUserFieldColumns } from "./user-field-columns.ts"

/** Returns all steps as plain SQL for an empty database, to run instead of `migrate`. */
export function createMigrationScript(store: Store): string {
  const { supportsTransactionalDdl } = store.engine.dialect
  const steps = [...migrations, ...listOptionalMigrations(store)].flatMap((migration) => {
    const changes = planStep(store, migration, new Map()).statements
    const table = createMigrationTable(store)
    const record = recordStep(store, migration, true)
    // Where schema changes cannot be rolled back, an interrupted script must not look finished.
    const statements = supportsTransactionalDdl
      ? [table, record, ...changes]
      : [table, ...changes, record]
    const lines = statements.map(({ sql }) => sql)
    return supportsTransactionalDdl ? ["begin", ...lines, "commit"] : lines
  })
  const fields = createUserFieldColumns(store).map(({ statement }) => statement.sql)
  return [...steps, ...fields].map((sql) => `${sql};\n`).join("")
}
