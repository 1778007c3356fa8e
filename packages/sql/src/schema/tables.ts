/** The tables as queries know them. What a row holds is parsed by `entities/*-row.ts`. */

type Columns<Name extends string> = Record<Name, unknown>

/** Columns of a user; the application may have added others. */
type UserTable = Columns<"id" | "name" | "email" | "emailVerified" | "image"> &
  Record<string, unknown>

/** Tables and their columns, in the words of the specification. */
export interface Tables {
  User: UserTable
  Account: Columns<
    | "id"
    | "userId"
    | "type"
    | "provider"
    | "providerAccountId"
    | "access_token"
    | "refresh_token"
    | "id_token"
    | "scope"
    | "token_type"
    | "expires_at"
    | "session_state"
  >
  Session: Columns<"id" | "sessionToken" | "userId" | "expires">
  VerificationToken: Columns<"identifier" | "token" | "expires">
  Authenticator: Columns<
    | "credentialID"
    | "userId"
    | "providerAccountId"
    | "credentialPublicKey"
    | "counter"
    | "credentialDeviceType"
    | "credentialBackedUp"
    | "transports"
  >
  LatchkeyMigration: Columns<"version" | "name" | "appliedAt">
}

/** Names of the tables in the database. */
export type TableNames = Readonly<Record<keyof Tables, string>>

/** The names that are used unless the option `names` says otherwise. */
export const defaultNames: TableNames = {
  User: "User",
  Account: "Account",
  Session: "Session",
  VerificationToken: "VerificationToken",
  Authenticator: "Authenticator",
  LatchkeyMigration: "LatchkeyMigration",
}
