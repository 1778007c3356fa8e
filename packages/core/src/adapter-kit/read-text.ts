/**
 * Reads required text of a stored record.
 * @throws TypeError if the field holds something else
 */
export function readText(record: Readonly<Record<string, unknown>>, field: string): string {
  const value = record[field]
  if (typeof value === "string") return value
  throw new TypeError(`Field ${field} must hold text.`)
}

/**
 * Reads optional text of a stored record.
 * @throws TypeError if the field holds something else
 */
export function readTextOrNull(
  record: Readonly<Record<string, unknown>>,
  field: string,
): string | null {
  return (record[field] ?? null) === null ? null : readText(record, field)
}
