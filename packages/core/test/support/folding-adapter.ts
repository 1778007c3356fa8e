/** An adapter of another library, on a database whose default collation treats different texts as equal. */
import type { DatabaseSync } from "node:sqlite"
import type { Adapter } from "@latchkey/core/adapters"
import { SqlAdapter } from "@latchkey/sql"

const collator = new Intl.Collator("und", { sensitivity: "base" })

/** The letters that collations of MariaDB treat as equal, and `Intl.Collator` does not. */
const expandLetters = (text: string) => text.trimEnd().replaceAll("ı", "i").replaceAll("ß", "s")

/** Creates an adapter that ignores case, accents, scripts of digits, trailing spaces, and the difference of ı and i. */
export function createFoldingAdapter(database: DatabaseSync): Adapter {
  const { comparesKeysExactly: _, ...adapter } = SqlAdapter(database)
  /** Returns the stored value that the collation treats as equal to the requested one. */
  const fold = (table: string, column: string, requested: string): string => {
    const rows = database.prepare(`select ${column} as stored from "${table}"`).all()
    const equal = rows.find(
      ({ stored }) =>
        collator.compare(expandLetters(String(stored)), expandLetters(requested)) === 0,
    )
    return String(equal?.["stored"] ?? requested)
  }
  const foldAccountId = (id: string) => fold("Account", "providerAccountId", id)
  return {
    ...adapter,
    getUserByEmail: (email) => adapter.getUserByEmail(fold("User", "email", email)),
    getUserByAccount: ({ provider, providerAccountId }) =>
      adapter.getUserByAccount({ provider, providerAccountId: foldAccountId(providerAccountId) }),
    getAccount: (providerAccountId, provider) =>
      adapter.getAccount(foldAccountId(providerAccountId), provider),
    getSessionAndUser: (token) => adapter.getSessionAndUser(fold("Session", "sessionToken", token)),
    getAuthenticator: (id) => adapter.getAuthenticator(fold("Authenticator", "credentialID", id)),
    useVerificationToken: ({ identifier, token }) =>
      adapter.useVerificationToken({
        identifier: fold("VerificationToken", "identifier", identifier),
        token: fold("VerificationToken", "token", token),
      }),
  }
}
