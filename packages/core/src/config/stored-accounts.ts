/** Requires a database whose adapter has the methods that a function for server code needs. */
import type { Adapter, AdapterAccount } from "../adapters.ts"
import { MissingAdapter } from "../errors.ts"
import { findMissingMethods } from "./adapter-methods.ts"
import { createMissingMethodsError } from "./adapter-store.ts"
import type { CoreServices, StoreServices } from "./core-services.ts"

/**
 * Returns the services of an application with a database.
 *
 * @throws MissingAdapter for one without
 */
export function requireDatabase<Services extends CoreServices>(
  services: Services,
): Services & StoreServices {
  const { store } = services
  if (store) return { ...services, store }
  throw new MissingAdapter({ expected: "a database that stores users and accounts" })
}

/** @throws MissingAdapterMethods if the adapter lacks one of the methods, before anything is changed */
export function requireAdapterMethods(
  { config }: StoreServices,
  names: readonly (keyof Adapter)[],
): void {
  const missing = findMissingMethods(config.adapter, names)
  if (missing.length > 0) throw createMissingMethodsError(missing, { hint: missingMethodsHint })
}

const missingMethodsHint =
  "Use an adapter that has them, or add them to yours: docs/adapters.md#what-each-method-promises."

/** Returns the accounts of a user, with their tokens. */
export async function listAccounts(
  services: StoreServices,
  userId: string,
): Promise<readonly AdapterAccount[]> {
  requireAdapterMethods(services, ["listAccounts"])
  const accounts = await services.store.listAccounts(userId)
  // The database may compare ids loosely. Adapters may return numbers.
  return accounts.filter((account) => String(account.userId) === String(userId))
}
