import type { Adapter, VerificationToken } from "@latchkey/core/adapters"
import type { Codecs, Row } from "../engine.ts"
import { slot, slots } from "../query.ts"
import { date, text } from "../schema/read.ts"
import { lookup, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { removing } from "../touching.ts"

type TokenMethods = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

const columns = ["identifier", "token", "expires"] as const

/** The methods for the tokens of e-mail links. */
export function verificationTokens(store: Store): TokenMethods {
  const { codecs } = store
  const insert = prepared(store, "createVerificationToken", (query) =>
    query.insertInto("VerificationToken").values(slots(columns)),
  )
  const take = removing(store, "useVerificationToken", { plain, returning, read })
  return {
    async createVerificationToken(token) {
      const row = tokenToRow(codecs, token)
      await insert(row)
      return tokenFromRow(codecs, row)
    },
    async useVerificationToken({ identifier, token }) {
      const row = await take({
        identifier: lookup(identifier, "VerificationToken.identifier"),
        token: lookup(token, "VerificationToken.token"),
      })
      return row && tokenFromRow(codecs, row)
    },
  }
}

const plain = (query: Query) =>
  query
    .deleteFrom("VerificationToken")
    .where("identifier", "=", slot("identifier"))
    .where("token", "=", slot("token"))

const returning = (query: Query) => plain(query).returning(columns)

const read = (query: Query) =>
  query
    .selectFrom("VerificationToken")
    .select(columns)
    .where("identifier", "=", slot("identifier"))
    .where("token", "=", slot("token"))

function tokenToRow(codecs: Codecs, token: VerificationToken): Record<string, unknown> {
  return {
    identifier: stored(codecs, "VerificationToken.identifier", "key", token.identifier),
    token: stored(codecs, "VerificationToken.token", "key", token.token),
    expires: stored(codecs, "VerificationToken.expires", "date", token.expires),
  }
}

function tokenFromRow(codecs: Codecs, row: Row): VerificationToken {
  return {
    identifier: text(row, "identifier"),
    token: text(row, "token"),
    expires: date(row, "expires", codecs),
  }
}
