/** The contract between the library and a database. */
import type { Account, Awaitable, ProviderType, User } from "./types.ts"

/** A stored user. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** When the person first proved the address by an e-mail link; null until then. */
  emailVerified: Date | null
}

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

/** A passkey. */
export interface Authenticator {
  userId?: string
  providerAccountId: string
  counter: number
  credentialBackedUp: boolean
  /** Base64. */
  credentialID: string
  /** Base64. */
  credentialPublicKey: string
  /** Joined by commas. */
  transports?: string | null
  credentialDeviceType: string
}

/** A stored passkey. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/** The right to do, alone among all processes, what a key names. */
export interface Lease {
  /** What is to be done once: at most 255 characters of ASCII. */
  key: string
  /** Who does it: a random text, new for each attempt. */
  holder: string
  /** How long the right lasts, in milliseconds from now. */
  lifetime: number
}

/** What became of a request for a lease. A completed one comes with what its holder left. */
export type LeaseStatus =
  | { readonly state: "granted" }
  | { readonly state: "held" }
  | { readonly state: "completed"; readonly result: string }

/** Keeps leases where all processes of an application see them. What fails rejects. */
export interface LeaseStore {
  /**
   * Grants a lease that nobody has, or whose lifetime is over, completed or not: of many callers at once to one. Its
   * holder may ask again, from when on it lasts anew. Of any other, tells whether it is completed.
   */
  acquireLease(lease: Lease): Awaitable<LeaseStatus>
  /**
   * Leaves the result of the work for all who ask, from now on for `lifetime`. False when another holder has the lease
   * by now, or nobody: then nothing was left. Of one that is over and nobody else's, either. May be repeated.
   *
   * @param lease with the result: text of up to 64 KiB, sealed by the caller where it is a secret
   */
  completeLease(lease: Lease & { result: string }): Awaitable<boolean>
  /** Gives a lease back that is not completed. That of another holder, or a completed one, stays. */
  releaseLease(lease: Pick<Lease, "key" | "holder">): Awaitable<void>
}

/** Names an account. */
export type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

/**
 * Methods that a database adapter offers; which of them are needed depends on the configuration. "Not found"
 * is `null`; a fault is a rejection and never `null`. Leases are optional: what needs them asks for them.
 */
export interface Adapter extends Partial<LeaseStore> {
  /** Stores a user. The given id may be replaced. Rejects when the address is taken. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  /**
   * Stores a new user together with the account that they signed in with: both or neither. Optional: without it they
   * are stored one after the other, and a user whose account could not be stored is deleted again. The account gets
   * the id that the user gets. Rejects like `createUser` and `linkAccount`.
   */
  createUserWithAccount?(user: AdapterUser, account: AdapterAccount): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(key: AccountKey): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  /** Removes the user with accounts and sessions. Never called by the library but to undo a creation. */
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>
  /** Stores an account. Rejects when the pair of provider and providerAccountId exists. */
  linkAccount?(
    account: AdapterAccount,
  ): Promise<void> | Awaitable<AdapterAccount | null | undefined>
  unlinkAccount?(key: AccountKey): Promise<void> | Awaitable<AdapterAccount | undefined>
  /**
   * Changes what is given of an account; null when there is no such account. Optional: with it, the tokens of an
   * account are those of its owner's last sign-in.
   */
  updateAccount?(
    account: Partial<AdapterAccount> & AccountKey,
  ): Awaitable<AdapterAccount | null | undefined>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** Expired sessions are returned too: the library decides. */
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>
  /** The sessions of a user that have not expired. Optional. */
  listSessions?(userId: string): Awaitable<AdapterSession[]>
  /** Ends the sessions of a user, all but one; tells how many there were. Optional. */
  deleteSessions?(userId: string, options?: { readonly except?: string }): Awaitable<number>
  /**
   * Removes sessions, verification tokens and leases that expired before a date, so many of each at most; tells how
   * many there were. Optional: for databases whose rows do not go by themselves.
   */
  deleteExpired?(before: Date, limit: number): Awaitable<number>
  createVerificationToken?(
    token: VerificationToken,
  ): Awaitable<VerificationToken | null | undefined>
  /** Removes and returns the token, atomically: of many callers at once, one gets it. */
  useVerificationToken?(
    key: Pick<VerificationToken, "identifier" | "token">,
  ): Awaitable<VerificationToken | null>
  getAccount?(
    providerAccountId: AdapterAccount["providerAccountId"],
    provider: AdapterAccount["provider"],
  ): Awaitable<AdapterAccount | null>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
  ): Awaitable<AdapterAuthenticator>
}

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Tells whether a value is text that names a date and time in ISO 8601, with `Z` or an offset. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isoDateTime.test(value) && !Number.isNaN(Date.parse(value))
}
