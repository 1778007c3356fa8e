import { type FactorMethods, readText, recordFields } from "@latchkey/adapter-kit"
import type { AdapterFactor } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Row } from "../engine.ts"
import { encodeRecord, encodeValue, toLookupText } from "../schema/encode-value.ts"
import { readDate, readInteger } from "../schema/read-column.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type Store } from "../store.ts"

const entity = "LatchkeyFactor"
const fields = Object.keys(recordFields[entity])

/** Creates the methods for second factors. */
export function createFactorMethods(store: Store): FactorMethods {
  const { codecs, columns } = store
  const insert = prepareStatement(store, "createFactor", (query) =>
    query.insertInto(entity).values(columns.namedParameters(entity, fields)),
  )
  const list = prepareStatement(store, "listFactors", (query) =>
    query
      .selectFrom(entity)
      .select(columns.selections(entity, fields))
      .where(columns.ref(entity, "userId"), "=", namedParameter("userId"))
      .orderBy(columns.ref(entity, "createdAt"))
      .orderBy(columns.ref(entity, "id")),
  )
  const [version, data] = [columns.ref(entity, "version"), columns.ref(entity, "data")]
  const update = prepareStatement(store, "updateFactor", (query) =>
    query
      .updateTable(entity)
      .set(version, sql`${version} + 1`)
      .set(data, namedParameter("data"))
      .where(columns.ref(entity, "id"), "=", namedParameter("id"))
      .where(version, "=", namedParameter("version")),
  )
  const remove = prepareStatement(store, "deleteFactor", (query) =>
    query.deleteFrom(entity).where(columns.ref(entity, "id"), "=", namedParameter("id")),
  )
  const toKey = (field: string, value: unknown) => toLookupText(codecs, value, `${entity}.${field}`)
  return {
    async createFactor(factor) {
      await insert(encodeRecord(codecs, entity, factor))
    },
    async listFactors(userId) {
      const { rows } = await list({ userId: toKey("userId", userId) })
      return rows.map((row) => factorFromRow(store, row))
    },
    async updateFactor(factor) {
      const { affected } = await update({
        id: toKey("id", factor.id),
        version: encodeValue(codecs, `${entity}.version`, "integer", factor.version),
        data: encodeValue(codecs, `${entity}.data`, "text", factor.data),
      })
      return affected > 0
    },
    async deleteFactor(id) {
      return (await remove({ id: toKey("id", id) })).affected > 0
    },
  }
}

function factorFromRow({ codecs }: Store, row: Row): AdapterFactor {
  return {
    id: readText(row, "id"),
    userId: readText(row, "userId"),
    method: readText(row, "method"),
    createdAt: readDate(row, "createdAt", codecs),
    version: readInteger(row, "version"),
    data: readText(row, "data"),
  }
}
