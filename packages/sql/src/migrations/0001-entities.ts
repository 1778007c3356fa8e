import type { Compilable, CreateTableBuilder } from "kysely"
import type { Migration, MigrationContext } from "./migration.ts"

/** The entities of the specification, and passkeys. */
export const entities: Migration = {
  version: 1,
  name: "entities",
  statements: (context) => [
    users(context),
    accounts(context),
    sessions(context),
    verificationTokens(context),
    authenticators(context),
    ...indices(context),
  ],
}

function users({ query, types, names, tableOptions }: MigrationContext): Compilable {
  const table = query.schema
    .createTable("User")
    .addColumn("id", types.key, (column) => column.notNull().primaryKey())
    .addColumn("name", types.text)
    .addColumn("email", types.key)
    .addColumn("emailVerified", types.date)
    .addColumn("image", types.text)
    .addUniqueConstraint(`${names.User}_email_key`, ["email"])
  return finished(table, tableOptions)
}

function accounts({ query, types, names, tableOptions }: MigrationContext): Compilable {
  const table = query.schema
    .createTable("Account")
    .addColumn("id", types.key, (column) => column.notNull().primaryKey())
    .addColumn("userId", types.key, (column) => column.notNull())
    .addColumn("type", types.text, (column) => column.notNull())
    .addColumn("provider", types.key, (column) => column.notNull())
    .addColumn("providerAccountId", types.key, (column) => column.notNull())
    .addColumn("access_token", types.text)
    .addColumn("refresh_token", types.text)
    .addColumn("id_token", types.text)
    .addColumn("scope", types.text)
    .addColumn("token_type", types.text)
    .addColumn("expires_at", types.integer)
    .addColumn("session_state", types.json)
    .addUniqueConstraint(`${names.Account}_provider_key`, ["provider", "providerAccountId"])
  return finished(owned(table, names.Account), tableOptions)
}

function sessions({ query, types, names, tableOptions }: MigrationContext): Compilable {
  const table = query.schema
    .createTable("Session")
    .addColumn("id", types.key, (column) => column.notNull().primaryKey())
    .addColumn("sessionToken", types.key, (column) => column.notNull())
    .addColumn("userId", types.key, (column) => column.notNull())
    .addColumn("expires", types.date, (column) => column.notNull())
    .addUniqueConstraint(`${names.Session}_sessionToken_key`, ["sessionToken"])
  return finished(owned(table, names.Session), tableOptions)
}

function verificationTokens({ query, types, names, tableOptions }: MigrationContext): Compilable {
  const table = query.schema
    .createTable("VerificationToken")
    .addColumn("identifier", types.key, (column) => column.notNull())
    .addColumn("token", types.key, (column) => column.notNull())
    .addColumn("expires", types.date, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${names.VerificationToken}_pkey`, ["identifier", "token"])
  return finished(table, tableOptions)
}

function authenticators({ query, types, names, tableOptions }: MigrationContext): Compilable {
  const table = query.schema
    .createTable("Authenticator")
    .addColumn("credentialID", types.key, (column) => column.notNull().primaryKey())
    .addColumn("userId", types.key, (column) => column.notNull())
    .addColumn("providerAccountId", types.key, (column) => column.notNull())
    .addColumn("credentialPublicKey", types.text, (column) => column.notNull())
    .addColumn("counter", types.integer, (column) => column.notNull())
    .addColumn("credentialDeviceType", types.text, (column) => column.notNull())
    .addColumn("credentialBackedUp", types.boolean, (column) => column.notNull())
    .addColumn("transports", types.text)
  return finished(owned(table, names.Authenticator), tableOptions)
}

/** For deletion with the user, and for removing what has expired. */
function indices({ query, names }: MigrationContext): readonly Compilable[] {
  const columns = [
    ["Account", "userId"],
    ["Session", "userId"],
    ["Session", "expires"],
    ["VerificationToken", "expires"],
    ["Authenticator", "userId"],
  ] as const
  return columns.map(([table, column]) =>
    query.schema.createIndex(`${names[table]}_${column}_idx`).on(table).column(column),
  )
}

type Table = CreateTableBuilder<string, string>

function owned(table: Table, name: string): Table {
  return table.addForeignKeyConstraint(
    `${name}_userId_fkey`,
    ["userId"],
    "User",
    ["id"],
    (constraint) => constraint.onDelete("cascade"),
  )
}

function finished(table: Table, options: MigrationContext["tableOptions"]): Compilable {
  return options === undefined ? table : table.modifyEnd(options)
}
