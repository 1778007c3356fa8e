import type { AdapterAccountType } from "@latchkey/core/adapters"
import type { Collection, EntitySchema, OptionalProps } from "@mikro-orm/core"

/** Somebody who signs in. */
export interface UserEntity {
  [OptionalProps]?: "id" | "email" | "emailVerified"
  /** A random UUID unless it is given. */
  id: string
  name?: string | null
  /** `""` for people without an address, of whom there may be many; any other is there once. */
  email: string
  /** When the person first proved the address by an e-mail link; null until then. */
  emailVerified: Date | null
  image?: string | null
  accounts: Collection<AccountEntity>
  sessions: Collection<SessionEntity>
}

/** An account at a provider: one for each pair of `provider` and `providerAccountId`. */
export interface AccountEntity {
  [OptionalProps]?: "id" | "userId"
  /** A random UUID unless it is given. */
  id: string
  /** The id of `user`. To look for it, look for `user`. */
  readonly userId: string
  user: UserEntity
  type: AdapterAccountType
  provider: string
  providerAccountId: string
  access_token?: string | null
  refresh_token?: string | null
  id_token?: string | null
  scope?: string | null
  token_type?: Lowercase<string> | null
  /** In seconds since 1970. */
  expires_at?: number | null
  /** Whatever the provider said, as JSON. */
  session_state?: unknown
}

/** A session that is kept in the database. */
export interface SessionEntity {
  [OptionalProps]?: "id" | "userId"
  /** A random UUID unless it is given. */
  id: string
  /** The id of `user`. To look for it, look for `user`. */
  readonly userId: string
  user: UserEntity
  /** Random; the value of the session cookie. */
  sessionToken: string
  /** Absolute expiry. */
  expires: Date
}

/** A token of an e-mail link. */
export interface VerificationTokenEntity {
  /** The address. */
  identifier: string
  /** Hashed with the secret. */
  token: string
  /** Absolute expiry. */
  expires: Date
}

/** A passkey. */
export interface AuthenticatorEntity {
  [OptionalProps]?: "userId"
  /** Base64. */
  credentialID: string
  /** The id of `user`. To look for it, look for `user`. */
  readonly userId: string
  user: UserEntity
  providerAccountId: string
  /** Base64. */
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Joined by commas. */
  transports?: string | null
}

/** The right to do something alone among all processes, or what became of it. */
export interface LeaseEntity {
  /** What is done. */
  key: string
  /** Who does it. */
  holder: string
  /** Absolute end, of the right or of its result. */
  expires: Date
  /** What was left for the others, sealed; null while it is being done. */
  result?: string | null
}

/** The entities, by name. */
export interface EntityTypes {
  User: UserEntity
  Account: AccountEntity
  Session: SessionEntity
  VerificationToken: VerificationTokenEntity
  Authenticator: AuthenticatorEntity
  LatchkeyLease: LeaseEntity
}

/** What the adapter works with: the entities as MikroORM knows them, without what an application has added. */
export type EntitySchemas = {
  readonly [Name in keyof EntityTypes]: EntitySchema<EntityTypes[Name]>
}
