/** Reads the four tables by SQL of its own, whatever they are called. */
import type { Row, RowReader } from "@latchkey/testing"
import type { Counts } from "../kind.ts"

/** Runs a statement; gives rows with the column names of the contract. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly object[]>

/** Names of the tables, as they are written in SQL. */
export interface Tables {
  readonly user: string
  readonly account: string
  readonly session: string
  readonly verificationToken: string
}

export interface Rows {
  readonly db: RowReader
  counts(): Promise<Counts>
  clear(): Promise<void>
}

/**
 * @param tidy turns a stored row into one of the contract: dates as Dates, texts as texts
 */
export function rowsOf(
  query: Query,
  tables: Tables,
  placeholder: (at: number) => string,
  tidy: (row: object) => object = (row) => row,
): Rows {
  const read = async (table: string, key: object): Promise<Row> => {
    const names = Object.keys(key)
    const condition = names.map((name, at) => `"${name}" = ${placeholder(at + 1)}`)
    const sql = `select * from ${table} where ${condition.join(" and ")}`
    const [row] = await query(sql, Object.values(key))
    return row ? tidy(row) : null
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
    counts: async () => [await count(user), await count(account), await count(session)],
    async clear() {
      for (const table of [verificationToken, session, account, user]) {
        await query(`delete from ${table}`)
      }
    },
  }
}

/** Fields that hold a point in time. */
export function withDates(row: object, dateOf: (value: unknown) => Date): object {
  const dates = ["emailVerified", "expires"]
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    dates.includes(name) && value !== null ? dateOf(value) : value,
  ])
  return Object.fromEntries(entries)
}
