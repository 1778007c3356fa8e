/** Reads the four tables with SQL. */
import type { Row, RowReader } from "@latchkey/testing"
import type { RowCounts } from "../adapter-setup.ts"

/** Runs a statement. Returns rows with the column names of the adapter interface. */
export type RunQuery = (sql: string, parameters?: readonly unknown[]) => Promise<readonly object[]>

/** The names of the tables in SQL. */
export interface TableNames {
  readonly user: string
  readonly account: string
  readonly session: string
  readonly verificationToken: string
}

export interface SqlRows {
  readonly db: RowReader
  countRows(): Promise<RowCounts>
  deleteRows(): Promise<void>
}

/**
 * @param normalizeRow converts a stored row to the adapter's types: dates to `Date`, ids to text
 */
export function createSqlRows(
  query: RunQuery,
  tables: TableNames,
  placeholder: (index: number) => string,
  normalizeRow: (row: object) => object = (row) => row,
): SqlRows {
  const read = async (table: string, key: object): Promise<Row> => {
    const names = Object.keys(key)
    const condition = names.map((name, index) => `"${name}" = ${placeholder(index + 1)}`)
    const sql = `select * from ${table} where ${condition.join(" and ")}`
    const [row] = await query(sql, Object.values(key))
    return row ? normalizeRow(row) : null
  }
  const count = async (table: string): Promise<number> => {
    const [row = {}] = await query(`select count(*) as n from ${table}`)
    return Number(Object.values(row)[0])
  }
  const { user, account, session, verificationToken } = tables
  return {
    db: {
      user: (id) => read(user, { id }),
      session: (sessionToken) => read(session, { sessionToken }),
      account: ({ provider, providerAccountId }) => read(account, { provider, providerAccountId }),
      verificationToken: ({ identifier, token }) => read(verificationToken, { identifier, token }),
    },
    countRows: async () => [await count(user), await count(account), await count(session)],
    async deleteRows() {
      for (const table of [verificationToken, session, account, user]) {
        await query(`delete from ${table}`)
      }
    },
  }
}

/** Columns with dates. */
export function parseDates(row: object, dateOf: (value: unknown) => Date): object {
  const dates = ["emailVerified", "expires"]
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    dates.includes(name) && value !== null ? dateOf(value) : value,
  ])
  return Object.fromEntries(entries)
}
