import { readText, type VerificationTokenMethods } from "@latchkey/adapter-kit"
import type { VerificationToken } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { prepareDelete, type RowChange } from "../row-statements.ts"
import { encodeRecord, toLookupText } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDate } from "../schema/read-column.ts"
import { namedParameter } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"

const fields = ["identifier", "token", "expires"] as const

/**
 * Creates the methods for e-mail tokens.
 * @param onStored called after a token was stored
 */
export function createVerificationTokenMethods(
  store: Store,
  onStored: () => void,
): VerificationTokenMethods {
  const { codecs, columns } = store
  const insert = prepareStatement(store, "createVerificationToken", (query) =>
    query
      .insertInto("VerificationToken")
      .values(columns.namedParameters("VerificationToken", fields)),
  )
  const take = prepareDelete(store, "useVerificationToken", createTokenDeletion(store))
  return {
    async createVerificationToken(token) {
      const row = encodeRecord(codecs, "VerificationToken", token)
      await insert(row)
      onStored()
      return tokenFromRow(codecs, row)
    },
    async useVerificationToken({ identifier, token }) {
      const row = await take({
        identifier: toLookupText(codecs, identifier, "VerificationToken.identifier"),
        token: toLookupText(codecs, token, "VerificationToken.token"),
      })
      return row && tokenFromRow(codecs, row)
    },
  }
}

function createTokenDeletion({ columns }: Store): RowChange {
  const identifier = columns.ref("VerificationToken", "identifier")
  const token = columns.ref("VerificationToken", "token")
  const read = columns.selections("VerificationToken", fields)
  const plain = (query: QueryBuilder) =>
    query
      .deleteFrom("VerificationToken")
      .where(identifier, "=", namedParameter("identifier"))
      .where(token, "=", namedParameter("token"))
  return {
    plain,
    returning: (query) => plain(query).returning(read),
    read: (query) =>
      query
        .selectFrom("VerificationToken")
        .select(read)
        .where(identifier, "=", namedParameter("identifier"))
        .where(token, "=", namedParameter("token")),
  }
}

function tokenFromRow(codecs: StoreCodecs, row: Row): VerificationToken {
  return {
    identifier: readText(row, "identifier"),
    token: readText(row, "token"),
    expires: readDate(row, "expires", codecs),
  }
}
