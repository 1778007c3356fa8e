import { expect } from "vitest"

/** Runs a check for each row of a table, and fails with what is wrong with every row. */
export async function checkEach<Row>(
  rows: Iterable<readonly [name: string, row: Row]>,
  check: (row: Row, name: string) => unknown,
): Promise<void> {
  const failures: string[] = []
  let count = 0
  for (const [name, row] of rows) {
    count += 1
    try {
      await check(row, name)
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  expect(failures).toEqual([])
  expect(count).toBeGreaterThan(0)
}
