/** The interface between the library and a database. */
import type { Account, Authenticator, Awaitable, DefaultUser, ProviderType, User } from "./types.ts"

export type { Authenticator } from "./types.ts"

/** A stored user. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** When the user first proved the address with an e-mail link; null until then. */
  emailVerified: Date | null
}

/** A user as adapters return it. Those that do not know the members that you declared may leave them out. */
export type StoredUser = Pick<AdapterUser, "id" | "email" | "emailVerified"> &
  DefaultUser &
  Partial<Omit<AdapterUser, keyof DefaultUser | "emailVerified">>

/** Kinds of accounts that are stored. */
export type AdapterAccountType = Extract<ProviderType, "oauth" | "oidc" | "email" | "webauthn">

/** A stored account: exactly one for each pair of `provider` and `providerAccountId`. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** A stored session. */
export interface AdapterSession {
  /** Random; the value of the session cookie. Unique. */
  sessionToken: string
  userId: string
  /** Absolute expiry. */
  expires: Date
}

/** A stored token of an e-mail link. */
export interface VerificationToken {
  /** The address. */
  identifier: string
  expires: Date
  /** A keyed hash of the token in the link. */
  token: string
}

/** A stored passkey. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/** The exclusive right of one process to run a task. */
export interface Lease {
  /** Names the task, in at most 255 ASCII characters. */
  key: string
  /** Names the holder: a random string, new for each attempt. */
  holder: string
  /** How long the lease lasts, in milliseconds from now. */
  lifetime: number
}

/** The result of a request for a lease. A completed lease carries the result that its holder stored. */
export type LeaseStatus =
  | { readonly state: "granted" }
  | { readonly state: "held" }
  | { readonly state: "completed"; readonly result: string }

/** Stores leases where all processes of an application can read them. Its methods reject on failure. */
export interface LeaseStore {
  /**
   * Grants a lease that nobody holds or that has expired, completed or not. Of several concurrent callers, exactly one
   * gets it. The holder may call this again, which renews the lifetime. For a lease of another holder, reports whether
   * it is completed.
   */
  acquireLease(lease: Lease): Awaitable<LeaseStatus>
  /**
   * Stores the result of the task for all callers of `acquireLease`, for `lifetime` from now on. Returns false, and
   * stores nothing, if another holder or nobody holds the lease. If the lease has expired and nobody else took it,
   * either result is correct. Calls may be repeated.
   *
   * @param lease the lease with its result: up to 64 KiB of text, which the caller encrypts if it is secret
   */
  completeLease(lease: Lease & { result: string }): Awaitable<boolean>
  /** Releases a lease that is not completed. Leases of other holders and completed leases stay. */
  releaseLease(lease: Pick<Lease, "key" | "holder">): Awaitable<void>
}

/** The attempts of the current window, with the one just counted. */
export interface AttemptCount {
  readonly count: number
  /** The end of the window. */
  readonly expires: Date
}

/** Counts attempts to sign in where all processes of an application can read them. Its methods reject on failure. */
export interface AttemptStore {
  /**
   * Adds one to the attempts of a key, atomically: each of several concurrent callers gets another count. Starts a new
   * window if the key has none, or if it has expired.
   *
   * @param key names what is counted, in at most 255 ASCII characters
   */
  countAttempt(key: string, windowSeconds: number): Awaitable<AttemptCount>
  /** Forgets the attempts of a key. */
  resetAttempts(key: string): Awaitable<void>
}

/** The stored facts of a session, without its token: the option `session.records`. */
export interface SessionRecord {
  /** Up to 64 ASCII characters. Nobody can sign in with it, so pages may show it. */
  id: string
  userId: string
  createdAt: Date
  /** When the session was last used, to within some minutes. */
  lastSeenAt: Date
  /** When the session ends if it is not used again. */
  expires: Date
  /** A hash of the session's id at the provider, up to 64 ASCII characters. */
  providerSession: string | null
  /** A hash of the user's subject at the provider, up to 64 ASCII characters. */
  providerSubject: string | null
  /** JSON, up to 8 KiB. */
  details: string
}

/** A change of a session, or of all sessions of a user, that other processes have to learn of. */
export interface SessionChange {
  /** Names the session or the user, in up to 80 ASCII characters. A later change replaces the one with the same key. */
  key: string
  changedAt: Date
  /** When the sessions that it concerns have expired, so that nobody needs it any more. */
  expires: Date
  /** JSON, up to 1 KiB. */
  details: string
}

/**
 * Stores records and changes of sessions where all processes of an application can read them. Its methods reject on
 * failure.
 */
export interface SessionRecordStore {
  /** Stores a record. Replaces one with the same id. */
  saveSessionRecord(record: SessionRecord): Awaitable<void>
  /** Returns a record that has not expired; null if there is none. */
  getSessionRecord(id: string): Awaitable<SessionRecord | null>
  /** Returns the records of a user that have not expired. */
  listSessionRecords(userId: string): Awaitable<SessionRecord[]>
  /** Returns the records with this session, or this subject, at the provider that have not expired. */
  findSessionRecords(
    key: { readonly providerSession: string } | { readonly providerSubject: string },
  ): Awaitable<SessionRecord[]>
  /** Changes the given members of a record. Does nothing, and returns false, if there is none: it never creates one. */
  updateSessionRecord(
    changes: Partial<Pick<SessionRecord, "lastSeenAt" | "expires" | "details">> &
      Pick<SessionRecord, "id">,
  ): Awaitable<boolean>
  /** Deletes a record. Returns false if there is none: of several concurrent callers, exactly one gets true. */
  deleteSessionRecord(id: string): Awaitable<boolean>
  /** Stores a change, and notifies the processes that watch. Replaces one with the same key, unless that is later. */
  saveSessionChange(change: SessionChange): Awaitable<void>
  /** Returns the changes since a time, inclusive, that have not expired. */
  listSessionChanges(since: Date): Awaitable<SessionChange[]>
  /**
   * Calls `onChange` soon after any process has stored a change. If notifications may have been lost, it calls
   * `onInterruption` with the reason, connects again by itself, however long that takes, and calls `onInterruption`
   * once more, without a reason, when it watches again: from then on, `listSessionChanges` returns what was missed.
   * Resolves once it watches, to a function that ends it. Optional: without it, processes ask with
   * `listSessionChanges`.
   */
  watchSessionChanges?(
    onChange: (change: SessionChange) => void,
    onInterruption: (error?: unknown) => void,
  ): Awaitable<() => Awaitable<void>>
}

/** A second factor of a user, such as an authenticator app. */
export interface AdapterFactor {
  /** Random, up to 64 ASCII characters. */
  id: string
  userId: string
  /** Names the kind of factor, in up to 32 ASCII characters. */
  method: string
  createdAt: Date
  /** How often the data was replaced. */
  version: number
  /** The data of the factor, encrypted, up to 8 KiB. */
  data: string
}

/** Stores second factors. Its methods reject on failure. */
export interface FactorStore {
  /** Stores a factor. Rejects if the id exists. */
  createFactor(factor: AdapterFactor): Awaitable<void>
  /** Returns the factors of a user, the oldest first. */
  listFactors(userId: string): Awaitable<AdapterFactor[]>
  /**
   * Replaces the data of a factor that still has the given version, and adds one to the version. Returns false, and
   * changes nothing, if there is none: of several concurrent callers with the same version, exactly one gets true.
   */
  updateFactor(factor: Pick<AdapterFactor, "id" | "version" | "data">): Awaitable<boolean>
  /** Deletes a factor. Returns false if there is none: of several concurrent callers, exactly one gets true. */
  deleteFactor(id: string): Awaitable<boolean>
}

/** The stored record, which an adapter need not return. */
type StoredRecord<T> = Awaitable<T | null | undefined>

/** The key of an account. */
export type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

/**
 * A database adapter. Which methods are required depends on the configuration. Methods return `null` if a record does
 * not exist, and reject on failure; they never report a failure as `null`. Leases, attempts, session records and second
 * factors are optional.
 */
export interface Adapter
  extends Partial<LeaseStore>,
    Partial<AttemptStore>,
    Partial<SessionRecordStore>,
    Partial<FactorStore> {
  /** Stores a user, possibly with another id than the one passed. Rejects if the address is taken. */
  createUser?(user: AdapterUser): Awaitable<StoredUser>
  /**
   * Stores a new user and the account that they signed in with: both or neither. The account's `userId` becomes the id
   * of the stored user. Rejects like `createUser` and `linkAccount`. Optional: without it, the user and the account are
   * stored one after the other, and the user is deleted if storing the account fails.
   */
  createUserWithAccount?(user: AdapterUser, account: AdapterAccount): Awaitable<StoredUser>
  getUser?(id: string): Awaitable<StoredUser | null>
  getUserByEmail?(email: string): Awaitable<StoredUser | null>
  getUserByAccount?(key: AccountKey): Awaitable<StoredUser | null>
  /** Returns how many users have an address that nobody has proven. Optional: for `latchkey doctor`. */
  countUnprovenUsers?(): Awaitable<number>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<StoredUser>
  /**
   * Deletes the user with all accounts, sessions, session records, passkeys, second factors and tokens of e-mail links.
   * The library calls it to undo `createUser`, and for `auth.users.delete`.
   */
  deleteUser?(userId: string): Promise<void> | StoredRecord<StoredUser>
  /** Stores an account. Rejects if the pair of `provider` and `providerAccountId` exists. */
  linkAccount?(account: AdapterAccount): Promise<void> | StoredRecord<AdapterAccount>
  unlinkAccount?(key: AccountKey): Promise<void> | Awaitable<AdapterAccount | undefined>
  /**
   * Changes the given members of an account; null if there is no such account. Optional: with it, each sign-in updates
   * the stored tokens of the account.
   */
  updateAccount?(account: Partial<AdapterAccount> & AccountKey): StoredRecord<AdapterAccount>
  /** Returns the accounts of a user, with their tokens. Optional: for `auth.getAccessToken` and `auth.accounts`. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** Returns a session and its user. May return expired sessions, which the library rejects itself. */
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: StoredUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): StoredRecord<AdapterSession>
  deleteSession?(sessionToken: string): Promise<void> | StoredRecord<AdapterSession>
  /** Returns the sessions of a user that have not expired. Optional. */
  listSessions?(userId: string): Awaitable<AdapterSession[]>
  /**
   * Deletes all sessions of a user, except one if given. Returns the number of deleted sessions. Optional: with it, the
   * first proof of an address ends the earlier sessions of its user.
   */
  deleteSessions?(userId: string, options?: { readonly except?: string }): Awaitable<number>
  /**
   * Deletes sessions, verification tokens, leases, counted attempts, and records and changes of sessions that expired
   * before a date, at most `limit` of each. Returns the number of deleted records. Optional: for databases that do not
   * delete expired records themselves.
   */
  deleteExpired?(before: Date, limit: number): Awaitable<number>
  /**
   * Stores a token. Rejects if the pair of `identifier` and `token` exists: a used passkey challenge is such a pair.
   */
  createVerificationToken?(token: VerificationToken): StoredRecord<VerificationToken>
  /** Deletes and returns the token atomically: of several concurrent callers, exactly one gets it. */
  useVerificationToken?(
    key: Pick<VerificationToken, "identifier" | "token">,
  ): Awaitable<VerificationToken | null>
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  /** Deletes a passkey, but not its account. Optional: for `auth.accounts.unlink`. */
  deleteAuthenticator?(credentialID: string): Promise<void> | StoredRecord<AdapterAuthenticator>
  /** Sets the counter, unless the stored one is higher. Returns the stored passkey. Rejects if there is none. */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
  ): Awaitable<AdapterAuthenticator>
}

/** Properties with which an adapter declares how it compares keys, beside its methods. */
export interface AdapterCapabilities {
  /**
   * Whether `getUserByEmail` may find a user by another address than the stored one, such as a second address. The
   * adapter then guarantees that whoever receives mail at the one address owns the other. By default, such a user is
   * not accepted.
   */
  readonly supportsEmailAliases?: boolean
  /**
   * Whether `getUserByAccount` compares both parts of the key exactly, whatever the database does. By default, the
   * library verifies the key with `getAccount`, if the adapter has it.
   */
  readonly comparesKeysExactly?: boolean
  /**
   * Whether the adapter stores hashes of session tokens, so that `getSessionAndUser` returns another `sessionToken`
   * than the requested one. By default, such a session is not accepted.
   */
  readonly hashesSessionTokens?: boolean
}

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a value is a string with a date and time in ISO 8601, with `Z` or an offset. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isoDateTime.test(value) && !Number.isNaN(Date.parse(value))
}
