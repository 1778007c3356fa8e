import { readText, recordFields, type SessionRecordMethods } from "@latchkey/adapter-kit"
import type { SessionChange } from "@latchkey/core/adapters"
import { type Compilable, type RawBuilder, sql } from "kysely"
import type { Row } from "../engine.ts"
import { encodeRecord, encodeValue, toLookupText } from "../schema/encode-value.ts"
import { readDate } from "../schema/read-column.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"

const entity = "LatchkeySessionChange"
const fields = Object.keys(recordFields[entity])
/** In the order in which MySQL assigns them: the others depend on the old `changedAt`. */
const changedFields = ["expires", "details", "changedAt"]

type ChangeMethods = Pick<SessionRecordMethods, "listSessionChanges" | "saveSessionChange">

/**
 * Creates the methods for changes of sessions. Expiry depends on the clock of the process, as for sessions.
 * @param onStored called after a change was stored
 * @param notify whether the statement that stores a change also notifies the processes that watch
 */
export function createSessionChangeMethods(
  store: Store,
  onStored: () => void,
  notify: boolean,
): ChangeMethods {
  const { codecs, columns } = store
  const build = notify ? buildSaveAndNotify(store) : buildSave(store)
  const save = prepareStatement(store, "saveSessionChange", build)
  const list = prepareStatement(store, "listSessionChanges", (query) =>
    query
      .selectFrom(entity)
      .select(columns.selections(entity, fields))
      .where(columns.ref(entity, "changedAt"), ">=", namedParameter("since"))
      .where(columns.ref(entity, "expires"), ">", namedParameter("now")),
  )
  return {
    async saveSessionChange({ key, changedAt, expires, details }) {
      const change = { key, changedAt, expires, details }
      await save(encodeRecord(codecs, entity, change))
      onStored()
    },
    async listSessionChanges(since) {
      const now = codecs.date.encode(new Date())
      const from = encodeValue(codecs, `${entity}.changedAt`, "date", since)
      const { rows } = await list({ since: from, now })
      return rows.map((row) => changeFromRow(store, row))
    },
  }
}

/** Creates the search for the change with a key. */
export function createChangeReader(store: Store): (key: string) => Promise<SessionChange[]> {
  const { codecs, columns } = store
  const read = prepareStatement(store, "watchSessionChanges", (query) =>
    query
      .selectFrom(entity)
      .select(columns.selections(entity, fields))
      .where(columns.ref(entity, "key"), "=", namedParameter("key")),
  )
  return async (key) => {
    const { rows } = await read({ key: toLookupText(codecs, key, `${entity}.key`) })
    return rows.map((row) => changeFromRow(store, row))
  }
}

/** Builds the statement that stores a change, unless a later one with the same key is stored. */
function buildSave(store: Store): (query: QueryBuilder) => Compilable {
  const { columns, engine } = store
  return (query) => {
    const insert = query.insertInto(entity).values(columns.namedParameters(entity, fields))
    return engine.dialect.supportsInsertIgnore
      ? insert.onDuplicateKeyUpdate(createConditionalUpdate(store))
      : createConflictClause(store, insert)
  }
}

type Insert = ReturnType<ReturnType<QueryBuilder["insertInto"]>["values"]>

function createConflictClause({ columns }: Store, insert: Insert): Insert {
  return insert.onConflict((conflict) =>
    conflict
      .expression(columns.ref(entity, "key"))
      .doUpdateSet(columns.namedParameters(entity, changedFields))
      .where(columns.qualifiedRef(entity, "changedAt"), "<=", namedParameter("changedAt")),
  )
}

/** MySQL has no condition for the whole update. */
function createConditionalUpdate({ columns }: Store): Record<string, RawBuilder<unknown>> {
  const stored = columns.ref(entity, "changedAt")
  const isLater = sql`${stored} <= ${namedParameter("changedAt")}`
  const parameters = Object.entries(columns.namedParameters(entity, changedFields))
  return Object.fromEntries(
    parameters.map(([column, value]) => [
      column,
      sql`case when ${isLater} then ${value} else ${sql.ref(column)} end`,
    ]),
  )
}

/**
 * Builds the statement for PostgreSQL that also notifies. The channel has the number of the table, which no other
 * schema of the database shares. Only the key is sent: every role of the database may send notifications, so that
 * processes read the change.
 */
function buildSaveAndNotify(store: Store): (query: QueryBuilder) => Compilable {
  const { columns } = store
  return (query) =>
    query
      .with("saved", (builder) =>
        createConflictClause(
          store,
          builder.insertInto(entity).values(columns.namedParameters(entity, fields)),
        ).returning(sql`tableoid`.as("table")),
      )
      .selectFrom("saved")
      .select(
        sql`pg_notify('latchkey_' || ${sql.ref("table")}::text, ${namedParameter("key")})`.as(
          "sent",
        ),
      )
}

function changeFromRow({ codecs }: Store, row: Row): SessionChange {
  return {
    key: readText(row, "key"),
    changedAt: readDate(row, "changedAt", codecs),
    expires: readDate(row, "expires", codecs),
    details: readText(row, "details"),
  }
}
