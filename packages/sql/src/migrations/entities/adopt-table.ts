/** Adopts tables of other libraries: adds the indexes and keys that security and performance need. */
import { type Compilable, sql } from "kysely"
import { SqlError } from "../../errors.ts"
import { type EntityName, entityFields } from "../../schema/tables.ts"
import type { ExistingTable, MigrationContext, NewIndex } from "../migration.ts"
import { compileStatement } from "../migration-record.ts"
import { columnNameOf, findAdoptionProblem } from "./adoption-problem.ts"

/** Unique indexes. */
const uniqueKeys: readonly (readonly [EntityName, suffix: string, fields: readonly string[]])[] = [
  ["User", "email_key", ["email"]],
  ["Account", "provider_key", ["provider", "providerAccountId"]],
  ["Session", "sessionToken_key", ["sessionToken"]],
  ["VerificationToken", "pkey", ["identifier", "token"]],
  ["Authenticator", "credentialID_key", ["credentialID"]],
]

/** Other indexes: for deletion with the user, and for the removal of expired rows. */
const indexedFields: readonly (readonly [EntityName, field: string])[] = [
  ["Account", "userId"],
  ["Session", "userId"],
  ["Session", "expires"],
  ["VerificationToken", "expires"],
  ["Authenticator", "userId"],
]

/**
 * Returns the statements that complete an existing table.
 * @throws SqlError `table-unfit` if it lacks a column, compares text loosely, or stores dates differently
 */
export function adoptTable(
  context: MigrationContext,
  entity: EntityName,
  table: ExistingTable,
): readonly Compilable[] {
  const detail = findAdoptionProblem(context, entity, table)
  if (detail !== undefined) throw new SqlError("table-unfit", { operation: "migrate", detail })
  return [
    ...(entity === "User" ? normalizeAddresses(context) : []),
    ...createMissingConstraints(context, entity, table),
  ]
}

/**
 * Makes sure that no large table gets a constraint, which would block everybody meanwhile.
 *
 * @throws SqlError `table-unfit` with the statements that create the constraints of all large tables without blocking
 */
export function assertNoLargeTableLacksConstraints(context: MigrationContext): void {
  const { concurrentIndexing } = context.dialect
  const statements = [...context.existing]
    .filter(([, { isLarge }]) => isLarge)
    .flatMap(([entity, table]) => createMissingConstraints(context, entity, table))
    .flatMap(
      (create) => concurrentIndexing?.listConstraintStatements(compileStatement(create)) ?? [],
    )
  if (statements.length === 0) return
  throw new SqlError("table-unfit", {
    operation: "migrate",
    detail: "creating what it lacks would block everybody, because it is large",
    hint: `Run these statements first, one by one, while people sign in: ${statements.join("; ")}`,
  })
}

function createMissingConstraints(
  context: MigrationContext,
  entity: EntityName,
  table: ExistingTable,
): readonly Compilable[] {
  return [
    ...createMissingUniqueIndexes(context, entity, table),
    ...createMissingForeignKey(context, entity, table),
  ]
}

/** Converts addresses to the form in which the library looks them up: lower case, and NULL for none. */
function normalizeAddresses(context: MigrationContext): readonly Compilable[] {
  const email = sql.ref(columnNameOf(context, "User", "email"))
  const table = sql.table(context.tableNames.User)
  return [
    sql`update ${table} set ${email} = null where ${email} = ''`,
    sql`update ${table} set ${email} = lower(${email}) where ${email} <> lower(${email})`,
  ].map((change) => ({ compile: () => change.compile(context.query) }))
}

function createMissingUniqueIndexes(
  context: MigrationContext,
  entity: EntityName,
  table: ExistingTable,
): readonly Compilable[] {
  return uniqueKeys.flatMap(([owner, suffix, fields]) => {
    if (owner !== entity) return []
    const columns = fields.map((field) => columnNameOf(context, entity, field))
    const exists = table.uniqueIndexes.some(
      (unique) => unique.size === columns.length && columns.every((column) => unique.has(column)),
    )
    if (exists) return []
    const index = context.query.schema.createIndex(`${context.tableNames[entity]}_${suffix}`)
    return [index.unique().on(entity).columns(columns)]
  })
}

/** SQLite cannot add foreign keys. `deleteUser` removes the rows of a user without them, too. */
function createMissingForeignKey(
  context: MigrationContext,
  entity: EntityName,
  table: ExistingTable,
): readonly Compilable[] {
  if (!entityFields[entity].includes("userId")) return []
  const column = columnNameOf(context, entity, "userId")
  if (table.foreignKeyColumns.has(column) || !context.dialect.supportsAddForeignKey) return []
  const id = columnNameOf(context, "User", "id")
  const name = `${context.tableNames[entity]}_userId_fkey`
  return [
    context.query.schema
      .alterTable(entity)
      .addForeignKeyConstraint(name, [column], "User", [id])
      .onDelete("cascade"),
  ]
}

/** Returns the indexes that the tables lack, aside from unique ones. */
export function listMissingIndexes(context: MigrationContext): readonly NewIndex[] {
  return indexedFields.flatMap(([entity, field]) => {
    const column = columnNameOf(context, entity, field)
    const existing = context.existing.get(entity)
    if (existing?.leadingIndexColumns.has(column)) return []
    const index = context.query.schema.createIndex(`${context.tableNames[entity]}_${field}_idx`)
    const create = index.on(entity).column(column)
    return [{ create, isConcurrent: existing?.isLarge ?? false }]
  })
}
