/** A database as statements of SQL, one in each line. */
import type { DialectName } from "@latchkey/sql"
import type { TestDatabase } from "../../packages/sql/test/support/database-kinds/database-kind.ts"

/** Expressions that write a value as SQL does. */
const quotedColumn: Readonly<Record<DialectName, (column: string) => string>> = {
  sqlite: (column) => `quote("${column}")`,
  mysql: (column) => `quote("${column}")`,
  postgres: (column) => `quote_nullable("${column}"::text)`,
}

/**
 * Returns the statements that insert all rows of tables.
 *
 * @param tables in an order in which rows find what they refer to
 */
export async function dumpRows(
  { query }: TestDatabase,
  dialect: DialectName,
  tables: readonly string[],
): Promise<string[]> {
  const statements: string[] = []
  for (const table of tables) {
    const [first] = await query(`select * from "${table}" limit 1`)
    const columns = Object.keys(first ?? {})
    if (columns.length === 0) continue
    const values = columns.map((column, index) => `${quotedColumn[dialect](column)} as v${index}`)
    const names = columns.map((column) => `"${column}"`).join(", ")
    for (const row of await query(`select ${values.join(", ")} from "${table}"`)) {
      const texts = columns.map((_, index) => String(row[`v${index}`]))
      statements.push(`insert into "${table}" (${names}) values (${texts.join(", ")})`)
    }
  }
  return statements
}

/** Runs a script, of which each line is a statement. */
export async function runScript({ query }: TestDatabase, script: string): Promise<void> {
  for (const line of script.split(";\n").filter((statement) => statement.trim() !== ""))
    await query(line)
}
