/** The names of all keys. */

/** Keys of sessions, e-mail tokens, leases and counted attempts. All of them expire. */
export interface SessionKeys {
  /** String: a session, by its token. */
  session(sessionToken: string): string
  /** Sorted set: the tokens of a user's sessions, by the latest possible expiry of each. */
  sessionsOf(userId: string): string
  /** Sorted set: the e-mail tokens of an address, by expiry. */
  tokensOf(identifier: string): string
  /** Hash: the holder of a lease, and its result. */
  lease(key: string): string
  /** String: how many attempts were counted in the current window. */
  attempts(key: string): string
}

/** All keys. */
export interface Keys extends SessionKeys {
  /** Hash: users, by id. */
  readonly users: string
  /** Hash: ids of users, by address. */
  readonly addresses: string
  /** Hash: ids of users, by account. */
  readonly accountOwners: string
  /** Hash: accounts with their tokens. */
  readonly accounts: string
  /** Hash: passkeys, by credential. */
  readonly passkeys: string
  /** Set: the accounts of a user. */
  accountsOf(userId: string): string
  /** Set: the credentials of a user. */
  passkeysOf(userId: string): string
}

/** Creates keys that a cluster distributes over its nodes. */
export function createDistributedKeys(prefix: string): SessionKeys {
  return {
    session: (sessionToken) => `${prefix}:session:${sessionToken}`,
    sessionsOf: (userId) => `${prefix}:sessions-of:${userId}`,
    tokensOf: (identifier) => `${prefix}:tokens-of:${identifier}`,
    lease: (key) => `${prefix}:lease:${key}`,
    attempts: (key) => `${prefix}:attempts:${key}`,
  }
}

/**
 * Creates keys in one slot of a cluster. The part in braces determines the slot (Redis Cluster specification, hash
 * tags).
 */
export function createSingleSlotKeys(prefix: string): Keys {
  const tag = `{${prefix}}`
  return {
    ...createDistributedKeys(tag),
    users: `${tag}:users`,
    addresses: `${tag}:addresses`,
    accountOwners: `${tag}:owners`,
    accounts: `${tag}:accounts`,
    passkeys: `${tag}:passkeys`,
    accountsOf: (userId) => `${tag}:accounts-of:${userId}`,
    passkeysOf: (userId) => `${tag}:passkeys-of:${userId}`,
  }
}
