/** The names of all keys. */

/** Where sessions, tokens of e-mail links and leases are. */
export interface SessionKeys {
  /** Text: a session, by its token. Goes by itself. */
  session(sessionToken: string): string
  /** Sorted set: the tokens of a user's sessions, by the latest expiry that each may have. Goes by itself. */
  sessionsOf(userId: string): string
  /** Sorted set: the tokens of links to an address, by expiry. Goes by itself. */
  tokensOf(identifier: string): string
  /** Hash: the holder of a lease, and the result that they left. Goes by itself. */
  lease(key: string): string
}

/** Where everything is. */
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

/** Each key wherever a cluster likes it. */
export function createDistributedKeys(prefix: string): SessionKeys {
  return {
    session: (sessionToken) => `${prefix}:session:${sessionToken}`,
    sessionsOf: (userId) => `${prefix}:sessions-of:${userId}`,
    tokensOf: (identifier) => `${prefix}:tokens-of:${identifier}`,
    lease: (key) => `${prefix}:lease:${key}`,
  }
}

/** All keys in one slot of a cluster: what stands in braces decides (Redis Cluster specification, hash tags). */
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
