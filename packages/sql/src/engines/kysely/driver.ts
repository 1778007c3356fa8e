/** A Kysely instance of the application. Only the methods in use are described, so that any version fits. */
export interface KyselyDatabase {
  executeQuery: unknown
  getExecutor(): { readonly adapter: object }
  withoutPlugins(): object
  transaction(): object
  connection(): object
}

/** Whether a value has the methods of a Kysely instance. */
export function isKyselyDatabase(value: unknown): value is KyselyDatabase {
  if (typeof value !== "object" || value === null) return false
  const methods = ["executeQuery", "getExecutor", "withoutPlugins", "transaction", "connection"]
  return methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function")
}
