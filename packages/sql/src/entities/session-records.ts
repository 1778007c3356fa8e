import {
  readText,
  readTextOrNull,
  recordFields,
  type SessionRecordMethods,
} from "@latchkey/adapter-kit"
import type { SessionRecord } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Row } from "../engine.ts"
import { prepareUpdateWithoutRead } from "../row-statements.ts"
import { encodeRecord, toLookupText } from "../schema/encode-value.ts"
import { readDate } from "../schema/read-column.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"
import { createUpsertQuery } from "./upsert-query.ts"

const entity = "LatchkeySessionRecord"
const fields = Object.keys(recordFields[entity])
const changeableFields = ["lastSeenAt", "expires", "details"]

type RecordMethods = Pick<
  SessionRecordMethods,
  | "deleteSessionRecord"
  | "findSessionRecords"
  | "getSessionRecord"
  | "listSessionRecords"
  | "saveSessionRecord"
  | "updateSessionRecord"
>

/**
 * Creates the methods for records of sessions. Expiry depends on the clock of the process, as for sessions.
 * @param onStored called after a record was stored
 */
export function createSessionRecordMethods(store: Store, onStored: () => void): RecordMethods {
  const { codecs, columns } = store
  const save = prepareStatement(
    store,
    "saveSessionRecord",
    createUpsertQuery(store, entity, "id", fields),
  )
  const remove = prepareStatement(store, "deleteSessionRecord", (query) =>
    query.deleteFrom(entity).where(columns.ref(entity, "id"), "=", namedParameter("id")),
  )
  const toKey = (field: string, value: unknown) => toLookupText(codecs, value, `${entity}.${field}`)
  return {
    ...createReadMethods(store),
    updateSessionRecord: buildUpdate(store),
    async saveSessionRecord(record) {
      const optional = { providerSession: null, providerSubject: null }
      await save({ ...optional, ...encodeRecord(codecs, entity, record) })
      onStored()
    },
    async deleteSessionRecord(id) {
      return (await remove({ id: toKey("id", id) })).affected > 0
    },
  }
}

function createReadMethods(
  store: Store,
): Pick<RecordMethods, "findSessionRecords" | "getSessionRecord" | "listSessionRecords"> {
  const { codecs, columns } = store
  function prepareSearch(operation: string, field: string) {
    const search = prepareStatement(store, operation, (query) =>
      query
        .selectFrom(entity)
        .select(columns.selections(entity, fields))
        .where(columns.ref(entity, field), "=", namedParameter("wanted"))
        .where(columns.ref(entity, "expires"), ">", namedParameter("now")),
    )
    return async (value: string): Promise<SessionRecord[]> => {
      const wanted = toLookupText(codecs, value, `${entity}.${field}`)
      const { rows } = await search({ wanted, now: codecs.date.encode(new Date()) })
      return rows.map((row) => recordFromRow(store, row))
    }
  }
  const get = prepareSearch("getSessionRecord", "id")
  const findByProviderSession = prepareSearch("findSessionRecords", "providerSession")
  const findByProviderSubject = prepareSearch("findSessionRecords", "providerSubject")
  return {
    getSessionRecord: async (id) => (await get(id))[0] ?? null,
    listSessionRecords: prepareSearch("listSessionRecords", "userId"),
    findSessionRecords: async (key) =>
      "providerSession" in key
        ? findByProviderSession(key.providerSession)
        : findByProviderSubject(key.providerSubject),
  }
}

/** Undefined fields keep their values: their parameters are NULL. */
function buildUpdate(store: Store): RecordMethods["updateSessionRecord"] {
  const { codecs, columns } = store
  const parameters = Object.entries(columns.namedParameters(entity, changeableFields))
  const assignments = parameters.map(
    ([column, value]) => [column, sql`coalesce(${value}, ${sql.ref(column)})`] as const,
  )
  const plain = (query: QueryBuilder) =>
    query
      .updateTable(entity)
      .set(Object.fromEntries(assignments))
      .where(columns.ref(entity, "id"), "=", namedParameter("id"))
      .where(columns.ref(entity, "expires"), ">", namedParameter("now"))
  const id = columns.selections(entity, ["id"])
  const change = prepareUpdateWithoutRead(store, "updateSessionRecord", {
    plain,
    returning: (query) => plain(query).returning(id),
    read: (query) =>
      query
        .selectFrom(entity)
        .select(id)
        .where(columns.ref(entity, "id"), "=", namedParameter("id"))
        .where(columns.ref(entity, "expires"), ">", namedParameter("now")),
  })
  return async ({ id, lastSeenAt, expires, details }) => {
    const outcome = await change({
      ...encodeRecord(codecs, entity, { lastSeenAt, expires, details }),
      id: toLookupText(codecs, id, `${entity}.id`),
      now: codecs.date.encode(new Date()),
    })
    return outcome !== null
  }
}

function recordFromRow({ codecs }: Store, row: Row): SessionRecord {
  return {
    id: readText(row, "id"),
    userId: readText(row, "userId"),
    createdAt: readDate(row, "createdAt", codecs),
    lastSeenAt: readDate(row, "lastSeenAt", codecs),
    expires: readDate(row, "expires", codecs),
    providerSession: readTextOrNull(row, "providerSession"),
    providerSubject: readTextOrNull(row, "providerSubject"),
    details: readText(row, "details"),
  }
}
