/** Tables that another library made: they get the indices and keys on which security and speed rest. */
import { type Compilable, sql } from "kysely"
import { SqlError } from "../../errors.ts"
import { type Entity, entities } from "../../schema/tables.ts"
import type { ExistingTable, MigrationContext } from "../migration.ts"
import { named, unfitness } from "./unfitness.ts"

/** What must exist once. */
const uniques: readonly (readonly [Entity, suffix: string, fields: readonly string[]])[] = [
  ["User", "email_key", ["email"]],
  ["Account", "provider_key", ["provider", "providerAccountId"]],
  ["Session", "sessionToken_key", ["sessionToken"]],
  ["VerificationToken", "pkey", ["identifier", "token"]],
  ["Authenticator", "credentialID_key", ["credentialID"]],
]

/** What rows are found by beside that: for deletion with the user, and for removing what has expired. */
const indices: readonly (readonly [Entity, field: string])[] = [
  ["Account", "userId"],
  ["Session", "userId"],
  ["Session", "expires"],
  ["VerificationToken", "expires"],
  ["Authenticator", "userId"],
]

/**
 * What an existing table lacks.
 * @throws SqlError `table-unfit` when it has no column for a field, compares text too generously, or has other dates
 */
export function adoptTable(
  context: MigrationContext,
  entity: Entity,
  table: ExistingTable,
): readonly Compilable[] {
  const detail = unfitness(context, entity, table)
  if (detail !== undefined) throw new SqlError("table-unfit", { operation: "migrate", detail })
  return [
    ...(entity === "User" ? addresses(context) : []),
    ...missingUniques(context, entity, table),
    ...missingOwner(context, entity, table),
  ]
}

/** Addresses in the form in which the library looks for them: in lower case, and NULL for none. */
function addresses(context: MigrationContext): readonly Compilable[] {
  const email = sql.ref(named(context, "User", "email"))
  const table = sql.table(context.names.User)
  return [
    sql`update ${table} set ${email} = null where ${email} = ''`,
    sql`update ${table} set ${email} = lower(${email}) where ${email} <> lower(${email})`,
  ].map((change) => ({ compile: () => change.compile(context.query) }))
}

function missingUniques(
  context: MigrationContext,
  entity: Entity,
  table: ExistingTable,
): readonly Compilable[] {
  return uniques.flatMap(([owner, suffix, fields]) => {
    if (owner !== entity) return []
    const columns = fields.map((field) => named(context, entity, field))
    const there = table.uniques.some(
      (unique) => unique.size === columns.length && columns.every((column) => unique.has(column)),
    )
    if (there) return []
    const index = context.query.schema.createIndex(`${context.names[entity]}_${suffix}`)
    return [index.unique().on(entity).columns(columns)]
  })
}

/** SQLite cannot add a foreign key; `deleteUser` removes what belongs to a user without one, too. */
function missingOwner(
  context: MigrationContext,
  entity: Entity,
  table: ExistingTable,
): readonly Compilable[] {
  if (!(entities[entity] as readonly string[]).includes("userId")) return []
  const column = named(context, entity, "userId")
  if (table.references.has(column) || !context.dialect.addsForeignKeys) return []
  const id = named(context, "User", "id")
  const name = `${context.names[entity]}_userId_fkey`
  return [
    context.query.schema
      .alterTable(entity)
      .addForeignKeyConstraint(name, [column], "User", [id])
      .onDelete("cascade"),
  ]
}

/** Indices that no table has yet. */
export function missingIndices(context: MigrationContext): readonly Compilable[] {
  return indices.flatMap(([entity, field]) => {
    const column = named(context, entity, field)
    if (context.existing.get(entity)?.indexed.has(column)) return []
    const index = context.query.schema.createIndex(`${context.names[entity]}_${field}_idx`)
    return [index.on(entity).column(column)]
  })
}
