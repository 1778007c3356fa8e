import { randomUUID } from "node:crypto"
import type { AdapterAccount, AdapterUser } from "@latchkey/core/adapters"

/** Creates a user that is not stored yet. */
export function newUser(changes: Partial<AdapterUser> = {}): AdapterUser {
  const id = randomUUID()
  return {
    id,
    email: `${id}@example.com`,
    emailVerified: null,
    name: "Ada",
    image: null,
    ...changes,
  }
}

export function newAccount(userId: string, changes: Partial<AdapterAccount> = {}): AdapterAccount {
  return { userId, type: "oidc", provider: "p", providerAccountId: randomUUID(), ...changes }
}

export function newSession(userId: string) {
  return { sessionToken: randomUUID(), userId, expires: new Date(Date.now() + 60_000) }
}
