import { randomUUID } from "node:crypto"
import type {
  Adapter,
  AdapterAccount,
  AdapterUser,
  SessionChange,
  SessionRecord,
} from "@latchkey/core/adapters"

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

/** Creates a passkey that is not stored yet. */
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

/** Creates a session record that is not stored yet. */
export function newRecord(facts: Partial<SessionRecord> = {}): SessionRecord {
  last += 1
  return {
    id: `record-${last}`,
    userId: `owner-${last}`,
    createdAt: secondsFromNow(-60),
    lastSeenAt: secondsFromNow(-30),
    expires: secondsFromNow(1000),
    providerSession: `provider-session-${last}`,
    providerSubject: `provider-subject-${last}`,
    details: "{}",
    ...facts,
  }
}

/** Creates a change of a session that is not stored yet. */
export function newChange(facts: Partial<SessionChange> = {}): SessionChange {
  last += 1
  return {
    key: `change-${last}`,
    changedAt: new Date(),
    expires: secondsFromNow(1000),
    details: "{}",
    ...facts,
  }
}

/** Returns the date in a number of seconds. */
export function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

/** Stores a session of a user. Returns its token. */
export async function startSession(
  adapter: Required<Pick<Adapter, "createSession">>,
  { id }: Pick<AdapterUser, "id">,
  expires: Date = secondsFromNow(1000),
): Promise<string> {
  const sessionToken = randomUUID()
  await adapter.createSession({ sessionToken, userId: id, expires })
  return sessionToken
}
