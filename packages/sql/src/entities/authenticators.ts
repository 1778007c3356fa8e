import {
  type AuthenticatorMethods,
  readText,
  readTextOrNull,
  recordFields,
} from "@latchkey/adapter-kit"
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Row } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { prepareFindFirst, prepareUpdate, type RowChange } from "../row-statements.ts"
import { encodeRecord, encodeValue, toLookupId, toLookupText } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readId, readInteger } from "../schema/read-column.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"

const fields = Object.keys(recordFields.Authenticator)

export function createAuthenticatorMethods(store: Store): AuthenticatorMethods {
  const { codecs, columns } = store
  const insert = prepareStatement(store, "createAuthenticator", (query) =>
    query.insertInto("Authenticator").values(columns.namedParameters("Authenticator", fields)),
  )
  const list = prepareStatement(store, "listAuthenticatorsByUserId", (query) =>
    query
      .selectFrom("Authenticator")
      .select(columns.selections("Authenticator", fields))
      .where(columns.ref("Authenticator", "userId"), "=", namedParameter("userId")),
  )
  const counterChange = createCounterChange(store)
  const find = prepareFindFirst(store, "getAuthenticator", counterChange.read)
  const updateCounter = prepareUpdate(store, "updateAuthenticatorCounter", counterChange)
  const remove = prepareStatement(store, "deleteAuthenticator", (query) =>
    query
      .deleteFrom("Authenticator")
      .where(columns.ref("Authenticator", "credentialID"), "=", namedParameter("credentialID")),
  )
  const toCredentialKey = (value: unknown) =>
    toLookupText(codecs, value, "Authenticator.credentialID")
  return {
    async createAuthenticator(authenticator) {
      const row = encodeRecord(codecs, "Authenticator", authenticator)
      await insert(row)
      return authenticatorFromRow(codecs, row)
    },
    async getAuthenticator(credentialID) {
      const row = await find({ credentialID: toCredentialKey(credentialID) })
      return row && authenticatorFromRow(codecs, row)
    },
    async listAuthenticatorsByUserId(userId) {
      const { rows } = await list({ userId: toLookupId(codecs, userId, "Authenticator.userId") })
      return rows.map((row) => authenticatorFromRow(codecs, row))
    },
    async deleteAuthenticator(credentialID) {
      await remove({ credentialID: toCredentialKey(credentialID) })
    },
    async updateAuthenticatorCounter(credentialID, newCounter) {
      const counter = encodeValue(codecs, "Authenticator.counter", "integer", newCounter)
      const row = await updateCounter({ credentialID: toCredentialKey(credentialID), counter })
      if (row === null) throw new SqlError("not-found", { operation: "updateAuthenticatorCounter" })
      return authenticatorFromRow(codecs, row)
    },
  }
}

/** Keeps the higher counter of concurrent sign-ins, and of repeated statements. */
function createCounterChange({ columns }: Store): RowChange {
  const key = columns.ref("Authenticator", "credentialID")
  const read = columns.selections("Authenticator", fields)
  const stored = columns.ref("Authenticator", "counter")
  const counter = namedParameter("counter")
  const plain = (query: QueryBuilder) =>
    query
      .updateTable("Authenticator")
      .set(stored, sql`case when ${stored} < ${counter} then ${counter} else ${stored} end`)
      .where(key, "=", namedParameter("credentialID"))
  return {
    plain,
    returning: (query) => plain(query).returning(read),
    read: (query) =>
      query
        .selectFrom("Authenticator")
        .select(read)
        .where(key, "=", namedParameter("credentialID")),
  }
}

function authenticatorFromRow(codecs: StoreCodecs, row: Row): AdapterAuthenticator {
  return {
    userId: readId(row, "userId", codecs),
    providerAccountId: readText(row, "providerAccountId"),
    counter: readInteger(row, "counter"),
    credentialBackedUp: codecs.boolean.decode(row["credentialBackedUp"]),
    credentialID: readText(row, "credentialID"),
    credentialPublicKey: readText(row, "credentialPublicKey"),
    transports: readTextOrNull(row, "transports"),
    credentialDeviceType: readText(row, "credentialDeviceType"),
  }
}
