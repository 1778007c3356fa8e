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
    const record = [createRecord(store), recordStep(store, migration, true)]
    const statements = [...record, ...changes].map(({ sql }) => sql)
    return transactionalDdl ? ["begin", ...statements, "commit"] : statements
  })
  const fields = fieldsOf(store).map(({ statement }) => statement.sql)
  return [...steps, ...fields].map((sql) => `${sql};\n`).join("")
}
