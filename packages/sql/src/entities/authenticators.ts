import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import type { Codecs, ColumnKind, Row } from "../engine.ts"
import { SqlError } from "../errors.ts"
import { slot, slots } from "../query.ts"
import { integer, text, textOrNull } from "../schema/read.ts"
import { lookup, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { first, updating } from "../touching.ts"

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
  userId: "key",
  providerAccountId: "key",
  credentialPublicKey: "text",
  counter: "integer",
  credentialDeviceType: "text",
  credentialBackedUp: "boolean",
  transports: "text",
} as const satisfies Record<keyof AdapterAuthenticator, ColumnKind>

// The keys of an object literal that is never added to.
const columns = Object.keys(kinds) as (keyof typeof kinds)[]

/** The methods for passkeys. */
export function authenticators(store: Store): AuthenticatorMethods {
  const { codecs } = store
  const insert = prepared(store, "createAuthenticator", (query) =>
    query.insertInto("Authenticator").values(slots(columns)),
  )
  const find = first(store, "getAuthenticator", read)
  const list = prepared(store, "listAuthenticatorsByUserId", (query) =>
    query.selectFrom("Authenticator").select(columns).where("userId", "=", slot("userId")),
  )
  const count = updating(store, "updateAuthenticatorCounter", { plain, returning, read })
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
      const { rows } = await list({ userId: lookup(userId, "Authenticator.userId") })
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

const read = (query: Query) =>
  query.selectFrom("Authenticator").select(columns).where("credentialID", "=", slot("credentialID"))

const plain = (query: Query) =>
  query
    .updateTable("Authenticator")
    .set(slots(["counter"]))
    .where("credentialID", "=", slot("credentialID"))

const returning = (query: Query) => plain(query).returning(columns)

function keyOf(credentialID: unknown): string | null {
  return lookup(credentialID, "Authenticator.credentialID")
}

function authenticatorToRow(
  codecs: Codecs,
  authenticator: AdapterAuthenticator,
): Record<string, unknown> {
  const row = columns.map((column) => [
    column,
    stored(codecs, `Authenticator.${column}`, kinds[column], authenticator[column]),
  ])
  return Object.fromEntries(row)
}

function authenticatorFromRow(codecs: Codecs, row: Row): AdapterAuthenticator {
  return {
    userId: text(row, "userId"),
    providerAccountId: text(row, "providerAccountId"),
    counter: integer(row, "counter"),
    credentialBackedUp: codecs.boolean.decode(row["credentialBackedUp"]),
    credentialID: text(row, "credentialID"),
    credentialPublicKey: text(row, "credentialPublicKey"),
    transports: textOrNull(row, "transports"),
    credentialDeviceType: text(row, "credentialDeviceType"),
  }
}
