import type { DatabaseSync } from "node:sqlite"
import { adapterConformance, type Row, type RowReader } from "@latchkey/testing"
import { describe, test } from "vitest"
import { kinds } from "./support/databases.ts"

describe.each(kinds)("the shared suite, on $name", (kind) => {
  const connect = () => {
    const database = kind.open()
    return { adapter: kind.adapter(database, { migrate: true }), db: rowsOf(database) }
  }
  adapterConformance({ test, connect, webauthn: true })
})

const dates = ["emailVerified", "expires"]

/** Reads rows without the adapter, by SQL of its own. */
function rowsOf(database: DatabaseSync): RowReader {
  const read = (table: string, key: Record<string, string>): Row => {
    const condition = Object.keys(key).map((column) => `"${column}" = ?`)
    const statement = database.prepare(`select * from "${table}" where ${condition.join(" and ")}`)
    const row = statement.get(...Object.values(key))
    return row ? Object.fromEntries(Object.entries(row).map(translated)) : null
  }
  return {
    user: (id) => read("User", { id }),
    session: (sessionToken) => read("Session", { sessionToken }),
    account: ({ provider, providerAccountId }) => read("Account", { provider, providerAccountId }),
    verificationToken: ({ identifier, token }) => read("VerificationToken", { identifier, token }),
    authenticator: (credentialID) => read("Authenticator", { credentialID }),
  }
}

function translated([column, value]: [string, unknown]): [string, unknown] {
  if (value === null) return [column, null]
  if (dates.includes(column)) return [column, new Date(Number(value))]
  if (column === "credentialBackedUp") return [column, value === 1]
  if (column === "session_state") return [column, JSON.parse(String(value))]
  return [column, value]
}
