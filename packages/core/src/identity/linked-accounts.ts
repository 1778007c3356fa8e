/** Lists the accounts of a user for server code. */
import type { AdapterAccount } from "../adapters.ts"
import type { CoreServices } from "../config/core-services.ts"
import { listAccounts, requireDatabase } from "../config/stored-accounts.ts"
import type { LinkedAccount } from "../latchkey-auth.ts"

/** Returns the accounts of a user, without their tokens. */
export async function listLinkedAccounts(
  services: CoreServices,
  userId: string,
): Promise<LinkedAccount[]> {
  return (await listAccounts(requireDatabase(services), userId)).map(toLinkedAccount)
}

/** Leaves out the tokens, which a page could pass on to the browser. */
export function toLinkedAccount({
  provider,
  providerAccountId,
  type,
}: AdapterAccount): LinkedAccount {
  return { provider, providerAccountId, type }
}
