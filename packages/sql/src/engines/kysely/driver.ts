/**
 * A Kysely instance of the application, described by the parts that are used: it need not be of the version that
 * this package uses.
 */
export interface KyselyDatabase {
  executeQuery: unknown
  getExecutor(): { readonly adapter: object }
  withoutPlugins(): object
  transaction(): object
  connection(): object
}

/** Tells whether a value has the methods of a Kysely instance. */
export function isKyselyDatabase(value: unknown): value is KyselyDatabase {
  if (typeof value !== "object" || value === null) return false
  const methods = ["executeQuery", "getExecutor", "withoutPlugins", "transaction", "connection"]
  return methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function")
}
