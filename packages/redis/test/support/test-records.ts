import { randomUUID } from "node:crypto"
import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"

let last = 0

/** A user that no other test knows, not stored yet. */
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

/** An account of a user, not stored yet. */
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

/** A passkey of a user, not stored yet. */
export function newPasskey(user: AdapterUser) {
  last += 1
  return {
    userId: user.id,
    credentialID: `credential-${last}`,
    providerAccountId: `passkey-${last}`,
    credentialPublicKey: "cHVibGlj",
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: null,
  }
}

/** A date that many seconds from now. */
export function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

/** Begins a session of a user; gives its token. */
export async function startSession(
  adapter: Required<Pick<Adapter, "createSession">>,
  { id }: Pick<AdapterUser, "id">,
  expires: Date = secondsFromNow(1000),
): Promise<string> {
  const sessionToken = randomUUID()
  await adapter.createSession({ sessionToken, userId: id, expires })
  return sessionToken
}
