/** The tables as queries know them. `entities/*-row.ts` parses their rows. */
import { recordFields } from "@latchkey/adapter-kit"

const migrationFields = ["version", "name", "appliedAt"] as const

/** Name of an entity; the default name of its table. */
export type EntityName = keyof typeof recordFields | "LatchkeyMigration"

/** Field of an entity; the default name of its column. */
export type EntityField<Name extends EntityName> = Name extends keyof typeof recordFields
  ?
      | (keyof (typeof recordFields)[Name] & string)
      | (Name extends "Account" | "Session" ? "id" : never)
  : (typeof migrationFields)[number]

const fieldsOf = (entity: keyof typeof recordFields) => Object.keys(recordFields[entity])

/** Fields of each entity that have a column. */
export const entityFields: Readonly<Record<EntityName, readonly string[]>> = {
  User: fieldsOf("User"),
  Account: ["id", ...fieldsOf("Account")],
  Session: ["id", ...fieldsOf("Session")],
  VerificationToken: fieldsOf("VerificationToken"),
  Authenticator: fieldsOf("Authenticator"),
  LatchkeyLease: fieldsOf("LatchkeyLease"),
  LatchkeyAttempt: fieldsOf("LatchkeyAttempt"),
  LatchkeySessionRecord: fieldsOf("LatchkeySessionRecord"),
  LatchkeySessionChange: fieldsOf("LatchkeySessionChange"),
  LatchkeyFactor: fieldsOf("LatchkeyFactor"),
  LatchkeyMigration: migrationFields,
}

/** Tables for Kysely. `Columns` names their columns, which the application may have renamed. */
export type KyselyTables = { [Name in EntityName]: Record<string, unknown> }

/** Names of the tables in the database. */
export type TableNames = Readonly<Record<EntityName, string>>
