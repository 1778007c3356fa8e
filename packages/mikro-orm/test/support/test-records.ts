import { randomUUID } from "node:crypto"
import type {
  AdapterAccount,
  AdapterUser,
  SessionChange,
  SessionRecord,
} from "@latchkey/core/adapters"

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

export function newRecord(changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: randomUUID(),
    userId: randomUUID(),
    createdAt: new Date(Date.now() - 60_000),
    lastSeenAt: new Date(),
    expires: new Date(Date.now() + 60_000),
    providerSession: randomUUID(),
    providerSubject: randomUUID(),
    details: '{"device":"phone"}',
    ...changes,
  }
}

export function newChange(changes: Partial<SessionChange> = {}): SessionChange {
  return {
    key: randomUUID(),
    changedAt: new Date(),
    expires: new Date(Date.now() + 60_000),
    details: "{}",
    ...changes,
  }
}
