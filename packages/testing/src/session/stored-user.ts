import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { MintedUser } from "./types.ts"

/** The stored user that somebody is, or becomes now. Found by id, else by address. */
export async function storedUser(adapter: Adapter, user: MintedUser): Promise<AdapterUser> {
  const known = (await byId(adapter, user)) ?? (await byAddress(adapter, user))
  if (known) return known
  if (!adapter.createUser) {
    throw new TypeError("The adapter has no `createUser`, and nobody with this id or address")
  }
  const { email, ...person } = user
  // As a sign-in stores people: whom no provider gave an address has none.
  const fresh = { id: crypto.randomUUID(), emailVerified: null, ...person, ...(email && { email }) }
  return adapter.createUser(fresh as AdapterUser)
}

async function byId(adapter: Adapter, { id }: MintedUser): Promise<AdapterUser | null> {
  return (id !== undefined && (await adapter.getUser?.(id))) || null
}

async function byAddress(adapter: Adapter, { email }: MintedUser): Promise<AdapterUser | null> {
  return (email && (await adapter.getUserByEmail?.(email))) || null
}
