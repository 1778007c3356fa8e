import type { AdapterAccountType } from "@latchkey/core/adapters"
import type { Collection, EntitySchema, OptionalProps } from "@mikro-orm/core"

/** A user. */
export interface UserEntity {
  [OptionalProps]?: "id" | "email" | "emailVerified"
  /** A random UUID by default. */
  id: string
  name?: string | null
  /** `""` for users without an address. All other addresses are unique. */
  email: string
  /** When the user first proved the address with an e-mail link; null until then. */
  emailVerified: Date | null
  image?: string | null
  accounts: Collection<AccountEntity>
  sessions: Collection<SessionEntity>
}

/** An account at a provider, unique by `provider` and `providerAccountId`. */
export interface AccountEntity {
  [OptionalProps]?: "id" | "userId"
  /** A random UUID by default. */
  id: string
  /** The id of `user`. With naming strategies other than the default, query by `user` instead. */
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
  /** The provider's value, as JSON. */
  session_state?: unknown
}

/** A stored session. */
export interface SessionEntity {
  [OptionalProps]?: "id" | "userId"
  /** A random UUID by default. */
  id: string
  /** The id of `user`. With naming strategies other than the default, query by `user` instead. */
  readonly userId: string
  user: UserEntity
  /** Random; the value of the session cookie. */
  sessionToken: string
  /** Absolute expiry. */
  expires: Date
}

/** The token of an e-mail link. */
export interface VerificationTokenEntity {
  /** The e-mail address. */
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
  /** The id of `user`. With naming strategies other than the default, query by `user` instead. */
  readonly userId: string
  user: UserEntity
  providerAccountId: string
  /** Base64. */
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Separated by commas. */
  transports?: string | null
}

/** The exclusive right of one process to do something, or the result. */
export interface LeaseEntity {
  /** Names what is done. */
  key: string
  /** Names who does it. */
  holder: string
  /** Absolute expiry of the right or its result. */
  expires: Date
  /** The result, sealed; null until the lease is completed. */
  result?: string | null
}

/** The stored facts of a session, without its token. Its user need not be stored. */
export interface SessionRecordEntity {
  /** Nobody can sign in with it, so pages may show it. */
  id: string
  userId: string
  createdAt: Date
  /** When the session was last used, to within some minutes. */
  lastSeenAt: Date
  /** Absolute expiry. */
  expires: Date
  /** A hash of the session's id at the provider. */
  providerSession?: string | null
  /** A hash of the user's subject at the provider. */
  providerSubject?: string | null
  /** JSON. */
  details: string
}

/** A change of a session, or of all sessions of a user, that other processes have to learn of. */
export interface SessionChangeEntity {
  /** Names the session or the user. */
  key: string
  changedAt: Date
  /** When nobody needs it any more. */
  expires: Date
  /** JSON. */
  details: string
}

/** The entities of records and changes of sessions, by name. */
export interface SessionRecordEntityTypes {
  LatchkeySessionRecord: SessionRecordEntity
  LatchkeySessionChange: SessionChangeEntity
}

/** A second factor, or a trusted device. Its user need not be stored. */
export interface FactorEntity {
  /** Nobody can sign in with it, so pages may show it. */
  id: string
  userId: string
  method: string
  createdAt: Date
  /** How often the data has changed. */
  version: number
  /** Sealed. */
  data: string
}

/** The entity of second factors, by name. */
export interface FactorEntityTypes {
  LatchkeyFactor: FactorEntity
}

/** The entities, by name. */
export interface EntityTypes extends SessionRecordEntityTypes, FactorEntityTypes {
  User: UserEntity
  Account: AccountEntity
  Session: SessionEntity
  VerificationToken: VerificationTokenEntity
  Authenticator: AuthenticatorEntity
  LatchkeyLease: LeaseEntity
}

/** The entities as the adapter uses them, without the application's properties. */
export type EntitySchemas = {
  readonly [Name in keyof EntityTypes]: EntitySchema<EntityTypes[Name]>
}
