import type { AdapterUser } from "../adapters.ts"
import type { CoreServices } from "../config/core-services.ts"
import { requireAdapterMethods, requireDatabase } from "./stored-accounts.ts"

/**
 * Deletes a user with everything that the database stores about them. Returns the user; null if there is none.
 *
 * @throws MissingAdapterMethods, AdapterError
 */
export async function deleteUser(
  coreServices: CoreServices,
  userId: string,
): Promise<AdapterUser | null> {
  const services = requireDatabase(coreServices)
  requireAdapterMethods(services, ["getUser", "deleteUser"])
  const { store, emitEvent } = services
  const user = await store.getUser(userId)
  // Our adapters return null if another request was first. Some others return nothing.
  if (!user || (await store.deleteUser(userId)) === null) return null
  await emitEvent("deleteUser", { user }, undefined)
  return user
}
