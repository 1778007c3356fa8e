/** The tables as queries know them. What a row holds is parsed by `entities/*-row.ts`. */

/** Entities and the fields that are kept of them, in the words of the specification. */
export const entityFields = {
  User: ["id", "name", "email", "emailVerified", "image"],
  Account: [
    "id",
    "userId",
    "type",
    "provider",
    "providerAccountId",
    "access_token",
    "refresh_token",
    "id_token",
    "scope",
    "token_type",
    "expires_at",
    "session_state",
  ],
  Session: ["id", "sessionToken", "userId", "expires"],
  VerificationToken: ["identifier", "token", "expires"],
  Authenticator: [
    "credentialID",
    "userId",
    "providerAccountId",
    "credentialPublicKey",
    "counter",
    "credentialDeviceType",
    "credentialBackedUp",
    "transports",
  ],
  LatchkeyLease: ["key", "holder", "expires", "result"],
  LatchkeyMigration: ["version", "name", "appliedAt"],
} as const

/** Name of a table, in the words of the specification. */
export type EntityName = keyof typeof entityFields

/** A field of an entity, in the words of the specification. */
export type EntityField<Name extends EntityName> = (typeof entityFields)[Name][number]

/** Tables for Kysely. Columns are named by `Layout`, not by types: the application may have named them. */
export type KyselyTables = { [Name in EntityName]: Record<string, unknown> }

/** Names of the tables in the database. */
export type TableNames = Readonly<Record<EntityName, string>>
