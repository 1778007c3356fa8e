import type { SchemaNaming } from "@latchkey/sql"
import type { Fixtures, Row, RowReader } from "@latchkey/testing"
import { resolveLayout } from "../../src/schema/layout.ts"
import type { EntityName } from "../../src/schema/tables.ts"
import type { TestDatabase } from "./database-kinds/database-kind.ts"

let last = 1_000_000

/** Ids like those of the database, which do not exist. */
export const databaseIdFixtures: Fixtures = {
  id: () => {
    last += 1
    return String(last)
  },
}

/** Reads rows with SQL instead of the adapter. */
export function createRowReader({ query }: TestDatabase, names: SchemaNaming = {}): RowReader {
  const { tables } = resolveLayout(names)
  const read = async (entity: EntityName, key: Record<string, string>): Promise<Row> => {
    const condition = Object.keys(key).map((column) => `"${column}" = ?`)
    const [row] = await query(
      `select * from "${tables[entity]}" where ${condition.join(" and ")}`,
      ...Object.values(key),
    )
    return row ? Object.fromEntries(Object.entries(row).map(normalizeEntry)) : null
  }
  return {
    user: (id) => read("User", { id }),
    session: (sessionToken) => read("Session", { sessionToken }),
    account: ({ provider, providerAccountId }) => read("Account", { provider, providerAccountId }),
    verificationToken: ({ identifier, token }) => read("VerificationToken", { identifier, token }),
    authenticator: (credentialID) => read("Authenticator", { credentialID }),
  }
}

/** Integer ids of the database are text in the adapter. */
function normalizeEntry([column, value]: [string, unknown]): [string, unknown] {
  if (value === null) return [column, null]
  if (column === "id" || column === "userId") return [column, String(value)]
  return [column, column === "session_state" ? JSON.parse(String(value)) : value]
}
