import type { Adapter, VerificationToken } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { slot } from "../query.ts"
import type { StoreCodecs } from "../schema/ids.ts"
import { date, text } from "../schema/read.ts"
import { lookup, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { type Change, removing } from "../touching.ts"

type TokenMethods = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

const fields = ["identifier", "token", "expires"] as const

/**
 * The methods for the tokens of e-mail links.
 * @param kept called after a token was stored
 */
export function verificationTokens(store: Store, kept: () => void): TokenMethods {
  const { codecs, columns } = store
  const insert = prepared(store, "createVerificationToken", (query) =>
    query.insertInto("VerificationToken").values(columns.slots("VerificationToken", fields)),
  )
  const take = removing(store, "useVerificationToken", taking(store))
  return {
    async createVerificationToken(token) {
      const row = tokenToRow(codecs, token)
      await insert(row)
      kept()
      return tokenFromRow(codecs, row)
    },
    async useVerificationToken({ identifier, token }) {
      const row = await take({
        identifier: lookup(codecs, identifier, "VerificationToken.identifier"),
        token: lookup(codecs, token, "VerificationToken.token"),
      })
      return row && tokenFromRow(codecs, row)
    },
  }
}

function taking({ columns }: Store): Change {
  const identifier = columns.of("VerificationToken", "identifier")
  const token = columns.of("VerificationToken", "token")
  const read = columns.read("VerificationToken", fields)
  const plain = (query: Query) =>
    query
      .deleteFrom("VerificationToken")
      .where(identifier, "=", slot("identifier"))
      .where(token, "=", slot("token"))
  return {
    plain,
    returning: (query) => plain(query).returning(read),
    read: (query) =>
      query
        .selectFrom("VerificationToken")
        .select(read)
        .where(identifier, "=", slot("identifier"))
        .where(token, "=", slot("token")),
  }
}

function tokenToRow(codecs: StoreCodecs, token: VerificationToken): Record<string, unknown> {
  return {
    identifier: stored(codecs, "VerificationToken.identifier", "key", token.identifier),
    token: stored(codecs, "VerificationToken.token", "key", token.token),
    expires: stored(codecs, "VerificationToken.expires", "date", token.expires),
  }
}

function tokenFromRow(codecs: StoreCodecs, row: Row): VerificationToken {
  return {
    identifier: text(row, "identifier"),
    token: text(row, "token"),
    expires: date(row, "expires", codecs),
  }
}
