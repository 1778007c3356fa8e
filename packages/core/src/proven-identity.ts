/** What travels from a flow to a session. This file has types only. */
import type { AdapterUser, Authenticator } from "./adapters.ts"
import type { Account, Profile, User } from "./types.ts"

/** What a provider says of an address: that it is the person's, that it is not, or nothing. */
export type EmailVerification = "verified" | "unverified" | "unknown"

/** Who somebody proved to be, however they proved it. */
export interface ProvenIdentity {
  /** The person as the provider describes them; `id` is provisional until the identity is resolved. */
  readonly user: User & { id: string }
  readonly account: Account
  readonly profile?: Profile
  /** What was typed, with a credentials provider. */
  readonly credentials?: Record<string, unknown>
  readonly emailVerification: EmailVerification
  /** What of the account is stored with the user. */
  readonly storedAccount: Partial<Account>
  /** A passkey that was made just now, to be stored with the account. */
  readonly newPasskey?: Authenticator
}

/** A person who may come in, and as which user. */
export interface SignInResult {
  readonly user: User | AdapterUser
  readonly account: Account
  readonly profile?: Profile
  /** Undefined where there is no database that could tell. */
  readonly isNewUser: boolean | undefined
}
