/** The tables of the entities. */
import type { ColumnDefinitionBuilder, Compilable, CreateTableBuilder } from "kysely"
import type { ColumnType } from "../../engine.ts"
import type { KeyColumn } from "../../schema/key-lengths.ts"
import type { EntityName } from "../../schema/tables.ts"
import type { MigrationContext } from "../migration.ts"

/** A table that is created unless it exists. */
export interface NewTable {
  readonly entity: EntityName
  create(): Compilable
}

/** Returns all tables, each after those it refers to. */
export function listEntityTables(context: MigrationContext): readonly NewTable[] {
  return [
    { entity: "User", create: () => createUserTable(context) },
    { entity: "Account", create: () => createAccountTable(context) },
    { entity: "Session", create: () => createSessionTable(context) },
    { entity: "VerificationToken", create: () => createVerificationTokenTable(context) },
    { entity: "Authenticator", create: () => createAuthenticatorTable(context) },
  ]
}

type TableBuilder = CreateTableBuilder<string, string>
type RefineColumn = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const notNull: RefineColumn = (column) => column.notNull()

/** Adds the column of a field, unless the application's table has none. */
function createColumnAdder(context: MigrationContext, entity: EntityName) {
  return (
    table: TableBuilder,
    field: string,
    type: ColumnType,
    refine: RefineColumn = (column) => column,
  ) => {
    const column = context.columnName(entity, field)
    return column === null ? table : table.addColumn(column, type, refine)
  }
}

function columnNamesOf(
  context: MigrationContext,
  entity: EntityName,
  fields: readonly string[],
): string[] {
  return fields.flatMap((field) => context.columnName(entity, field) ?? [])
}

/** Returns the type of user ids, and of columns that refer to them. */
function idType(context: MigrationContext, column: KeyColumn): ColumnType {
  return context.idSource === "database"
    ? context.dialect.autoIncrementIds.type
    : context.keyType(column)
}

function createTableWithId(
  context: MigrationContext,
  entity: "Account" | "Session" | "User",
): TableBuilder {
  const add = createColumnAdder(context, entity)
  const count: RefineColumn = (column) =>
    context.idSource === "database"
      ? context.dialect.autoIncrementIds.applyAutoIncrement(column)
      : column
  const type = idType(context, `${entity}.id`)
  return add(context.query.schema.createTable(entity), "id", type, (column) =>
    count(column.notNull().primaryKey()),
  )
}

function createUserTable(context: MigrationContext): Compilable {
  const add = createColumnAdder(context, "User")
  const { text, date } = context.dialect.columnTypes
  let table = createTableWithId(context, "User")
  table = add(table, "name", text)
  table = add(table, "email", context.keyType("User.email"))
  table = add(table, "emailVerified", date)
  table = add(table, "image", text)
  table = table.addUniqueConstraint(
    `${context.tableNames.User}_email_key`,
    columnNamesOf(context, "User", ["email"]),
  )
  return withTableOptions(context, table)
}

function createAccountTable(context: MigrationContext): Compilable {
  const add = createColumnAdder(context, "Account")
  const { text, integer, json } = context.dialect.columnTypes
  let table = createTableWithId(context, "Account")
  table = add(table, "userId", idType(context, "Account.userId"), notNull)
  table = add(table, "type", text, notNull)
  table = add(table, "provider", context.keyType("Account.provider"), notNull)
  table = add(table, "providerAccountId", context.keyType("Account.providerAccountId"), notNull)
  for (const field of ["access_token", "refresh_token", "id_token", "scope", "token_type"]) {
    table = add(table, field, text)
  }
  table = add(table, "expires_at", integer)
  table = add(table, "session_state", json)
  table = table.addUniqueConstraint(
    `${context.tableNames.Account}_provider_key`,
    columnNamesOf(context, "Account", ["provider", "providerAccountId"]),
  )
  return withTableOptions(context, addUserForeignKey(context, "Account", table))
}

function createSessionTable(context: MigrationContext): Compilable {
  const add = createColumnAdder(context, "Session")
  let table = createTableWithId(context, "Session")
  table = add(table, "sessionToken", context.keyType("Session.sessionToken"), notNull)
  table = add(table, "userId", idType(context, "Session.userId"), notNull)
  table = add(table, "expires", context.dialect.columnTypes.date, notNull)
  table = table.addUniqueConstraint(
    `${context.tableNames.Session}_sessionToken_key`,
    columnNamesOf(context, "Session", ["sessionToken"]),
  )
  return withTableOptions(context, addUserForeignKey(context, "Session", table))
}

function createVerificationTokenTable(context: MigrationContext): Compilable {
  const add = createColumnAdder(context, "VerificationToken")
  let table: TableBuilder = context.query.schema.createTable("VerificationToken")
  table = add(table, "identifier", context.keyType("VerificationToken.identifier"), notNull)
  table = add(table, "token", context.keyType("VerificationToken.token"), notNull)
  table = add(table, "expires", context.dialect.columnTypes.date, notNull)
  table = table.addPrimaryKeyConstraint(
    `${context.tableNames.VerificationToken}_pkey`,
    columnNamesOf(context, "VerificationToken", ["identifier", "token"]),
  )
  return withTableOptions(context, table)
}

function createAuthenticatorTable(context: MigrationContext): Compilable {
  const add = createColumnAdder(context, "Authenticator")
  const { boolean, integer, text } = context.dialect.columnTypes
  const key: RefineColumn = (column) => column.notNull().primaryKey()
  let table: TableBuilder = context.query.schema.createTable("Authenticator")
  table = add(table, "credentialID", context.keyType("Authenticator.credentialID"), key)
  table = add(table, "userId", idType(context, "Authenticator.userId"), notNull)
  const account = context.keyType("Authenticator.providerAccountId")
  table = add(table, "providerAccountId", account, notNull)
  table = add(table, "credentialPublicKey", text, notNull)
  table = add(table, "counter", integer, notNull)
  table = add(table, "credentialDeviceType", text, notNull)
  table = add(table, "credentialBackedUp", boolean, notNull)
  table = add(table, "transports", text)
  return withTableOptions(context, addUserForeignKey(context, "Authenticator", table))
}

/** Deletes the rows of a user together with the user. */
function addUserForeignKey(
  context: MigrationContext,
  entity: EntityName,
  table: TableBuilder,
): TableBuilder {
  return table.addForeignKeyConstraint(
    `${context.tableNames[entity]}_userId_fkey`,
    columnNamesOf(context, entity, ["userId"]),
    "User",
    columnNamesOf(context, "User", ["id"]),
    (constraint) => constraint.onDelete("cascade"),
  )
}

/** Ends a CREATE TABLE statement. */
export function withTableOptions(
  { tableOptions }: MigrationContext,
  table: TableBuilder,
): Compilable {
  return tableOptions === undefined ? table : table.modifyEnd(tableOptions)
}
