import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"

let last = 0

/** Creates a unique user that is not stored yet. */
export function newUser(facts: Partial<AdapterUser> = {}): AdapterUser {
  last += 1
  return {
    id: `user-${last}`,
    name: `Person ${last}`,
    email: `person-${last}@example.test`,
    emailVerified: null,
    image: null,
    ...facts,
  }
}

/** Creates an account that is not stored yet. */
export function newAccount(user: AdapterUser, facts: Partial<AdapterAccount> = {}): AdapterAccount {
  last += 1
  return {
    userId: user.id,
    type: "oidc",
    provider: "tenantidp",
    providerAccountId: `sub-${last}`,
    ...facts,
  }
}

/** Stores a user with a session. */
export async function createSignedInUser(
  adapter: Required<Pick<Adapter, "createSession" | "createUser">>,
): Promise<{ user: AdapterUser; sessionToken: string }> {
  const user = await adapter.createUser(newUser())
  const sessionToken = `token-of-${user.id}`
  await adapter.createSession({ sessionToken, userId: user.id, expires: new Date("2030-01-01") })
  return { user, sessionToken }
}
