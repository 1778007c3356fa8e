/** The tables of the entities as they are created. */
import type { ColumnDefinitionBuilder, Compilable, CreateTableBuilder } from "kysely"
import type { ColumnType } from "../../engine.ts"
import type { KeyColumn } from "../../schema/limits.ts"
import type { Entity } from "../../schema/tables.ts"
import type { MigrationContext } from "../migration.ts"

/** A table that is created unless it exists. */
export interface NewTable {
  readonly entity: Entity
  create(): Compilable
}

/** All tables, in an order in which they can refer to one another. */
export function tablesOf(context: MigrationContext): readonly NewTable[] {
  return [
    { entity: "User", create: () => users(context) },
    { entity: "Account", create: () => accounts(context) },
    { entity: "Session", create: () => sessions(context) },
    { entity: "VerificationToken", create: () => verificationTokens(context) },
    { entity: "Authenticator", create: () => authenticators(context) },
  ]
}

type Table = CreateTableBuilder<string, string>
type Refine = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Refine = (column) => column.notNull()

/** Adds the column of a field, unless the application says that the table has none. */
function adding(context: MigrationContext, entity: Entity) {
  return (table: Table, field: string, type: ColumnType, refine: Refine = (column) => column) => {
    const column = context.column(entity, field)
    return column === null ? table : table.addColumn(column, type, refine)
  }
}

function columnsOf(context: MigrationContext, entity: Entity, fields: readonly string[]): string[] {
  return fields.flatMap((field) => context.column(entity, field) ?? [])
}

/** The type of ids of users, and of columns that refer to them. */
function idType(context: MigrationContext, column: KeyColumn): ColumnType {
  return context.ids === "database" ? context.dialect.countedIds.type : context.key(column)
}

function withId(context: MigrationContext, entity: "Account" | "Session" | "User"): Table {
  const add = adding(context, entity)
  const count: Refine = (column) =>
    context.ids === "database" ? context.dialect.countedIds.count(column) : column
  const type = idType(context, `${entity}.id`)
  return add(context.query.schema.createTable(entity), "id", type, (column) =>
    count(column.notNull().primaryKey()),
  )
}

function users(context: MigrationContext): Compilable {
  const add = adding(context, "User")
  const { text, date } = context.dialect.columnTypes
  let table = withId(context, "User")
  table = add(table, "name", text)
  table = add(table, "email", context.key("User.email"))
  table = add(table, "emailVerified", date)
  table = add(table, "image", text)
  table = table.addUniqueConstraint(
    `${context.names.User}_email_key`,
    columnsOf(context, "User", ["email"]),
  )
  return finished(context, table)
}

function accounts(context: MigrationContext): Compilable {
  const add = adding(context, "Account")
  const { text, integer, json } = context.dialect.columnTypes
  let table = withId(context, "Account")
  table = add(table, "userId", idType(context, "Account.userId"), required)
  table = add(table, "type", text, required)
  table = add(table, "provider", context.key("Account.provider"), required)
  table = add(table, "providerAccountId", context.key("Account.providerAccountId"), required)
  for (const field of ["access_token", "refresh_token", "id_token", "scope", "token_type"]) {
    table = add(table, field, text)
  }
  table = add(table, "expires_at", integer)
  table = add(table, "session_state", json)
  table = table.addUniqueConstraint(
    `${context.names.Account}_provider_key`,
    columnsOf(context, "Account", ["provider", "providerAccountId"]),
  )
  return finished(context, owned(context, "Account", table))
}

function sessions(context: MigrationContext): Compilable {
  const add = adding(context, "Session")
  let table = withId(context, "Session")
  table = add(table, "sessionToken", context.key("Session.sessionToken"), required)
  table = add(table, "userId", idType(context, "Session.userId"), required)
  table = add(table, "expires", context.dialect.columnTypes.date, required)
  table = table.addUniqueConstraint(
    `${context.names.Session}_sessionToken_key`,
    columnsOf(context, "Session", ["sessionToken"]),
  )
  return finished(context, owned(context, "Session", table))
}

function verificationTokens(context: MigrationContext): Compilable {
  const add = adding(context, "VerificationToken")
  let table: Table = context.query.schema.createTable("VerificationToken")
  table = add(table, "identifier", context.key("VerificationToken.identifier"), required)
  table = add(table, "token", context.key("VerificationToken.token"), required)
  table = add(table, "expires", context.dialect.columnTypes.date, required)
  table = table.addPrimaryKeyConstraint(
    `${context.names.VerificationToken}_pkey`,
    columnsOf(context, "VerificationToken", ["identifier", "token"]),
  )
  return finished(context, table)
}

function authenticators(context: MigrationContext): Compilable {
  const add = adding(context, "Authenticator")
  const { boolean, integer, text } = context.dialect.columnTypes
  const key: Refine = (column) => column.notNull().primaryKey()
  let table: Table = context.query.schema.createTable("Authenticator")
  table = add(table, "credentialID", context.key("Authenticator.credentialID"), key)
  table = add(table, "userId", idType(context, "Authenticator.userId"), required)
  const account = context.key("Authenticator.providerAccountId")
  table = add(table, "providerAccountId", account, required)
  table = add(table, "credentialPublicKey", text, required)
  table = add(table, "counter", integer, required)
  table = add(table, "credentialDeviceType", text, required)
  table = add(table, "credentialBackedUp", boolean, required)
  table = add(table, "transports", text)
  return finished(context, owned(context, "Authenticator", table))
}

/** The rows of a table go with the user whom they belong to. */
function owned(context: MigrationContext, entity: Entity, table: Table): Table {
  return table.addForeignKeyConstraint(
    `${context.names[entity]}_userId_fkey`,
    columnsOf(context, entity, ["userId"]),
    "User",
    columnsOf(context, "User", ["id"]),
    (constraint) => constraint.onDelete("cascade"),
  )
}

/** A table as all of them end. */
export function finished({ tableOptions }: MigrationContext, table: Table): Compilable {
  return tableOptions === undefined ? table : table.modifyEnd(tableOptions)
}
