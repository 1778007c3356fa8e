import type { AdapterUser } from "../adapters.ts"
import type { CoreServices } from "../config/core-services.ts"
import { requireAdapterMethods, requireDatabase } from "../config/stored-accounts.ts"
import { revokeUserSessions } from "../sessions/load-records.ts"

/**
 * Deletes a user with everything that the database stores about them, and ends their recorded sessions. Returns the
 * user; null if there is none.
 *
 * @throws MissingAdapterMethods, AdapterError
 */
export async function deleteUser(
  coreServices: CoreServices,
  userId: string,
): Promise<AdapterUser | null> {
  const services = requireDatabase(coreServices)
  requireAdapterMethods(services, ["getUser", "deleteUser"])
  const { store, emitEvent, config } = services
  const user = await store.getUser(userId)
  if (!user) return null
  // First, because a deleted user is not found again if this fails.
  if (config.session.records) await revokeUserSessions(services, String(user.id))
  // Our adapters return null if another request was first. Some others return nothing.
  if ((await store.deleteUser(userId)) === null) return null
  await emitEvent("deleteUser", { user }, undefined)
  return user
}
