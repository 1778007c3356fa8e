import type { AttemptStore } from "@latchkey/core/adapters"
import { type RawBuilder, sql } from "kysely"
import { encodeValue, toLookupText } from "../schema/encode-value.ts"
import { readDate, readInteger } from "../schema/read-column.ts"
import { bindParameters, namedParameter, type ParameterValues } from "../statement-template.ts"
import { createLazyTemplate, prepareStatement, type Store } from "../store.ts"
import { createUpsertQuery } from "./upsert-query.ts"

const fields = ["key", "count", "expires"] as const

/**
 * Creates the methods for counted attempts. Expiry depends on the clock of the process, as for sessions.
 *
 * @param onNewWindow called after a new window began
 */
export function createAttemptMethods(store: Store, onNewWindow: () => void): AttemptStore {
  const { codecs, columns } = store
  const count = prepareCount(store)
  const remove = prepareStatement(store, "resetAttempts", (query) =>
    query
      .deleteFrom("LatchkeyAttempt")
      .where(columns.ref("LatchkeyAttempt", "key"), "=", namedParameter("key")),
  )
  return {
    async countAttempt(key, windowSeconds) {
      const now = Date.now()
      const expires = new Date(now + windowSeconds * 1000)
      const row = await count({
        key: encodeValue(codecs, "LatchkeyAttempt.key", "key", key),
        count: 1,
        expires: encodeValue(codecs, "LatchkeyAttempt.expires", "date", expires),
        now: codecs.date.encode(new Date(now)),
      })
      const counted = {
        count: readInteger(row, "count"),
        expires: readDate(row, "expires", codecs),
      }
      if (counted.count === 1) onNewWindow()
      return counted
    },
    async resetAttempts(key) {
      await remove({ key: toLookupText(codecs, key, "LatchkeyAttempt.key") })
    },
  }
}

/** Prepares the statement that counts, and returns the row as it left it. */
function prepareCount(store: Store): (values: ParameterValues) => Promise<Record<string, unknown>> {
  const { columns, engine } = store
  const selections = columns.selections("LatchkeyAttempt", ["count", "expires"])
  const key = columns.ref("LatchkeyAttempt", "key")
  const update = createUpdate(store)
  const insertOrUpdate = createUpsertQuery(store, "LatchkeyAttempt", "key", fields, update)
  const returning = createLazyTemplate(store, (query) =>
    insertOrUpdate(query).returning(selections),
  )
  const plain = createLazyTemplate(store, insertOrUpdate)
  const read = createLazyTemplate(store, (query) =>
    query.selectFrom("LatchkeyAttempt").select(selections).where(key, "=", namedParameter("key")),
  )
  // Without RETURNING, the transaction reads the row that it has locked.
  const templates = engine.dialect.supportsReturning ? [returning] : [plain, read]
  return async (values) => {
    const statements = templates.map((template) => bindParameters(template(), values))
    const [statement] = statements
    const results =
      statements.length === 1 && statement
        ? [await store.run("countAttempt", statement)]
        : await store.transaction("countAttempt", statements)
    return results.at(-1)?.rows[0] ?? {}
  }
}

/** Starts a new window if the old one has expired. MySQL assigns in this order, so `count` sees the old `expires`. */
function createUpdate({ columns }: Store): Record<string, RawBuilder<unknown>> {
  const [count, expires] = (["count", "expires"] as const).map((field) =>
    columns.qualifiedRef("LatchkeyAttempt", field),
  )
  const isExpired = sql`${expires} <= ${namedParameter("now")}`
  const columnNames = Object.keys(columns.namedParameters("LatchkeyAttempt", ["count", "expires"]))
  const [countColumn = "count", expiresColumn = "expires"] = columnNames
  return {
    [countColumn]: sql`case when ${isExpired} then 1 else ${count} + 1 end`,
    [expiresColumn]: sql`case when ${isExpired} then ${namedParameter("expires")} else ${expires} end`,
  }
}
