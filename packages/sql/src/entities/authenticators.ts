import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import type { ColumnKind, Row } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { slot } from "../query.ts"
import type { StoreCodecs } from "../schema/ids.ts"
import { id, integer, text, textOrNull } from "../schema/read.ts"
import { lookup, lookupId, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { type Change, first, updating } from "../touching.ts"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticatorCounter"
  >
>

const kinds = {
  credentialID: "key",
  userId: "id",
  providerAccountId: "key",
  credentialPublicKey: "text",
  counter: "integer",
  credentialDeviceType: "text",
  credentialBackedUp: "boolean",
  transports: "text",
} as const satisfies Record<keyof AdapterAuthenticator, ColumnKind>

// The keys of an object literal that is never added to.
const fields = Object.keys(kinds) as (keyof typeof kinds)[]

/** The methods for passkeys. */
export function authenticators(store: Store): AuthenticatorMethods {
  const { codecs, columns } = store
  const insert = prepared(store, "createAuthenticator", (query) =>
    query.insertInto("Authenticator").values(columns.slots("Authenticator", fields)),
  )
  const list = prepared(store, "listAuthenticatorsByUserId", (query) =>
    query
      .selectFrom("Authenticator")
      .select(columns.read("Authenticator", fields))
      .where(columns.of("Authenticator", "userId"), "=", slot("userId")),
  )
  const counting = countChange(store)
  const find = first(store, "getAuthenticator", counting.read)
  const count = updating(store, "updateAuthenticatorCounter", counting)
  const keyOf = (value: unknown) => lookup(codecs, value, "Authenticator.credentialID")
  return {
    async createAuthenticator(authenticator) {
      const row = authenticatorToRow(codecs, authenticator)
      await insert(row)
      return authenticatorFromRow(codecs, row)
    },
    async getAuthenticator(credentialID) {
      const row = await find({ credentialID: keyOf(credentialID) })
      return row && authenticatorFromRow(codecs, row)
    },
    async listAuthenticatorsByUserId(userId) {
      const { rows } = await list({ userId: lookupId(codecs, userId, "Authenticator.userId") })
      return rows.map((row) => authenticatorFromRow(codecs, row))
    },
    async updateAuthenticatorCounter(credentialID, newCounter) {
      const counter = stored(codecs, "Authenticator.counter", "integer", newCounter)
      const row = await count({ credentialID: keyOf(credentialID), counter })
      if (row === null)
        throw new SqlError("missing-row", { operation: "updateAuthenticatorCounter" })
      return authenticatorFromRow(codecs, row)
    },
  }
}

function countChange({ columns }: Store): Change {
  const key = columns.of("Authenticator", "credentialID")
  const read = columns.read("Authenticator", fields)
  const plain = (query: Query) =>
    query
      .updateTable("Authenticator")
      .set(columns.slots("Authenticator", ["counter"]))
      .where(key, "=", slot("credentialID"))
  return {
    plain,
    returning: (query) => plain(query).returning(read),
    read: (query) =>
      query.selectFrom("Authenticator").select(read).where(key, "=", slot("credentialID")),
  }
}

function authenticatorToRow(
  codecs: StoreCodecs,
  authenticator: AdapterAuthenticator,
): Record<string, unknown> {
  const row = fields.map((field) => [
    field,
    stored(codecs, `Authenticator.${field}`, kinds[field], authenticator[field]),
  ])
  return Object.fromEntries(row)
}

function authenticatorFromRow(codecs: StoreCodecs, row: Row): AdapterAuthenticator {
  return {
    userId: id(row, "userId", codecs),
    providerAccountId: text(row, "providerAccountId"),
    counter: integer(row, "counter"),
    credentialBackedUp: codecs.boolean.decode(row["credentialBackedUp"]),
    credentialID: text(row, "credentialID"),
    credentialPublicKey: text(row, "credentialPublicKey"),
    transports: textOrNull(row, "transports"),
    credentialDeviceType: text(row, "credentialDeviceType"),
  }
}
