import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { TestUser } from "./types.ts"

/** The stored user that somebody is, or becomes now. Found by id, else by address. */
export async function findOrCreateUser(adapter: Adapter, user: TestUser): Promise<AdapterUser> {
  const existing = (await findUserById(adapter, user)) ?? (await findUserByEmail(adapter, user))
  if (existing) return existing
  if (!adapter.createUser) {
    throw new TypeError("The adapter has no `createUser`, and nobody with this id or address")
  }
  const { email, ...fields } = user
  // As a sign-in stores people: whom no provider gave an address has none.
  const newUser = {
    id: crypto.randomUUID(),
    emailVerified: null,
    ...fields,
    ...(email && { email }),
  }
  return adapter.createUser(newUser as AdapterUser)
}

async function findUserById(adapter: Adapter, { id }: TestUser): Promise<AdapterUser | null> {
  return (id !== undefined && (await adapter.getUser?.(id))) || null
}

async function findUserByEmail(adapter: Adapter, { email }: TestUser): Promise<AdapterUser | null> {
  return (email && (await adapter.getUserByEmail?.(email))) || null
}
