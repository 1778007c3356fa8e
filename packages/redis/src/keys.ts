/** The names of all keys. */

/** Keys of the changes of sessions, in one slot. */
interface ChangeKeys {
  /** Hash: the changes, by their keys. */
  readonly values: string
  /** Sorted set: the keys of changes, by the time of each. */
  readonly times: string
  /** Sorted set: the keys of changes, by the expiry of each. */
  readonly expiries: string
  /** The channel that the keys of new changes are published to. */
  readonly channel: string
}

/** Keys of sessions with their records and changes, e-mail tokens, leases and counted attempts. All of them expire. */
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
  /** Hash: a session record, by its id. */
  record(id: string): string
  /** Sorted set: the ids of a user's session records, by the latest possible expiry of each. */
  recordsOf(userId: string): string
  /** Sorted set: the ids of the records of a session at the provider, in the same way. */
  recordsOfProviderSession(providerSession: string): string
  /** Sorted set: the ids of the records of a subject at the provider, in the same way. */
  recordsOfProviderSubject(providerSubject: string): string
  readonly changes: ChangeKeys
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
  /** Hash: second factors, by id. */
  readonly factors: string
  /** Set: the accounts of a user. */
  accountsOf(userId: string): string
  /** Set: the credentials of a user. */
  passkeysOf(userId: string): string
  /** Set: the ids of the second factors of a user. */
  factorsOf(userId: string): string
}

/** Creates keys that a cluster distributes over its nodes. */
export function createDistributedKeys(prefix: string): SessionKeys {
  return {
    session: (sessionToken) => `${prefix}:session:${sessionToken}`,
    sessionsOf: (userId) => `${prefix}:sessions-of:${userId}`,
    tokensOf: (identifier) => `${prefix}:tokens-of:${identifier}`,
    lease: (key) => `${prefix}:lease:${key}`,
    attempts: (key) => `${prefix}:attempts:${key}`,
    record: (id) => `${prefix}:record:${id}`,
    recordsOf: (userId) => `${prefix}:records-of:${userId}`,
    recordsOfProviderSession: (session) => `${prefix}:records-of-provider-session:${session}`,
    recordsOfProviderSubject: (subject) => `${prefix}:records-of-provider-subject:${subject}`,
    changes: createChangeKeys(`${prefix}:{changes}`),
  }
}

function createChangeKeys(prefix: string): ChangeKeys {
  return {
    values: `${prefix}:values`,
    times: `${prefix}:times`,
    expiries: `${prefix}:expiries`,
    channel: `${prefix}:channel`,
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
    changes: createChangeKeys(`${tag}:changes`),
    users: `${tag}:users`,
    addresses: `${tag}:addresses`,
    accountOwners: `${tag}:owners`,
    accounts: `${tag}:accounts`,
    passkeys: `${tag}:passkeys`,
    factors: `${tag}:factors`,
    accountsOf: (userId) => `${tag}:accounts-of:${userId}`,
    passkeysOf: (userId) => `${tag}:passkeys-of:${userId}`,
    factorsOf: (userId) => `${tag}:factors-of:${userId}`,
  }
}
