import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { TestUser } from "./types.ts"

/** Finds the stored user by id, or else by address, or creates it. */
export async function findOrCreateUser(adapter: Adapter, user: TestUser): Promise<AdapterUser> {
  const existing = (await findUserById(adapter, user)) ?? (await findUserByEmail(adapter, user))
  if (existing) return existing
  if (!adapter.createUser) {
    throw new TypeError("The adapter has no `createUser`, and no user with this id or address")
  }
  const { email, ...fields } = user
  // As at a sign-in, users without an address get an empty one.
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
