import type { SchemaNaming } from "@latchkey/sql"
import type { Fixtures, Row, RowReader } from "@latchkey/testing"
import { resolveLayout } from "../../src/schema/layout.ts"
import type { EntityName } from "../../src/schema/tables.ts"
import type { TestDatabase } from "./database-kinds/database-kind.ts"

let last = 1_000_000

/** Ids as databases count them, which nobody has. */
export const databaseIdFixtures: Fixtures = {
  id: () => {
    last += 1
    return String(last)
  },
}

/** Reads rows without the adapter, by SQL of its own. */
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

/** Ids that the database counts are text in the contract. */
function normalizeEntry([column, value]: [string, unknown]): [string, unknown] {
  if (value === null) return [column, null]
  if (column === "id" || column === "userId") return [column, String(value)]
  return [column, column === "session_state" ? JSON.parse(String(value)) : value]
}
