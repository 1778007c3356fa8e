import type { Store } from "../store.ts"
import { migrations } from "./list.ts"
import { planStep } from "./plan.ts"
import { createRecord, recordStep } from "./record.ts"
import { fieldsOf } from "./user-fields.ts"

/** All steps as plain SQL for an empty database, as a person would run it instead of `migrate`. */
export function scriptOf(store: Store): string {
  const { transactionalDdl } = store.engine.dialect
  const steps = migrations.flatMap((migration) => {
    const changes = planStep(store, migration, new Map()).statements
    const table = createRecord(store)
    const record = recordStep(store, migration, true)
    // Where nothing is taken back, a script that is broken off must not look as if it were done.
    const statements = transactionalDdl ? [table, record, ...changes] : [table, ...changes, record]
    const lines = statements.map(({ sql }) => sql)
    return transactionalDdl ? ["begin", ...lines, "commit"] : lines
  })
  const fields = fieldsOf(store).map(({ statement }) => statement.sql)
  return [...steps, ...fields].map((sql) => `${sql};\n`).join("")
}
