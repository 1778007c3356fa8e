import type { Row, RowReader } from "@latchkey/testing/adapters"
import type { MikroORM } from "@mikro-orm/sql"

const dates = ["emailVerified", "expires"]
const numbers = ["expires_at", "counter"]

/** Reads rows with SQL instead of entities. */
export function createRowReader(orm: MikroORM): RowReader {
  const platform = orm.em.getPlatform()
  const read = async (table: string, key: Record<string, string>): Promise<Row> => {
    const where = Object.keys(key).map((column) => `${platform.quoteIdentifier(column)} = ?`)
    const sql = `select * from ${platform.quoteIdentifier(table)} where ${where.join(" and ")}`
    const [row] = await orm.em.fork().getConnection().execute<object[]>(sql, Object.values(key))
    return row && Object.fromEntries(Object.entries(row).map(toAdapterEntry))
  }
  return {
    user: (id) => read("user", { id }),
    session: (sessionToken) => read("session", { session_token: sessionToken }),
    account: ({ provider, providerAccountId }) =>
      read("account", { provider, provider_account_id: providerAccountId }),
    verificationToken: ({ identifier, token }) => read("verification_token", { identifier, token }),
    authenticator: (id) => read("authenticator", { credential_id: id }),
  }
}

const snakeCaseFields = new Set([
  "access_token",
  "refresh_token",
  "id_token",
  "token_type",
  "expires_at",
  "session_state",
])

/** Converts rows, whose columns and types differ between databases. */
function toAdapterEntry([column, value]: [string, unknown]): [string, unknown] {
  const name = toFieldName(column)
  if (value === null) return [name, null]
  if (dates.includes(name)) return [name, parseDate(value)]
  if (numbers.includes(name)) return [name, Number(value)]
  if (name === "credentialBackedUp") return [name, Boolean(value)]
  if (name === "session_state" && typeof value === "string") return [name, parseJsonText(value)]
  return [name, value]
}

function toFieldName(column: string): string {
  if (snakeCaseFields.has(column)) return column
  if (column === "credential_id") return "credentialID"
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Parses a date with or without a time zone; the default is UTC. */
function parseDate(value: unknown): Date {
  if (typeof value === "number" || value instanceof Date) return new Date(value)
  return new Date(`${String(value).replace(" ", "T").replace(/\+00$/, "")}Z`)
}

/** Parses JSON, which only some drivers do themselves. */
function parseJsonText(text: string): unknown {
  return text.startsWith('"') ? JSON.parse(text) : text
}
