/** Reasons against adopting a table of another library. */
import { type EntityName, entityFields } from "../../schema/tables.ts"
import type { ExistingTable, MigrationContext } from "../migration.ts"

/** Fields that rows are found by. The library lower-cases addresses, so that their case does not matter. */
export const lookupFields: Readonly<Record<EntityName, readonly string[]>> = {
  User: ["email"],
  Account: ["provider", "providerAccountId"],
  Session: ["sessionToken"],
  VerificationToken: ["identifier", "token"],
  Authenticator: ["credentialID"],
  LatchkeyLease: [],
  LatchkeyAttempt: [],
  LatchkeySessionRecord: [],
  LatchkeySessionChange: [],
  LatchkeyMigration: [],
}

/** Whether the case of a field does not matter. */
export const toleratesCase = (field: string): boolean => ["email", "identifier"].includes(field)

/** Returns why a table cannot be adopted; undefined if it can. */
export function findAdoptionProblem(
  context: MigrationContext,
  entity: EntityName,
  table: ExistingTable,
): string | undefined {
  const name = context.tableNames[entity]
  if (!context.dialect.comparesTextExactly) {
    return `${name} may take é for e, which is one person for another; copy its rows into new tables`
  }
  const missing = entityFields[entity]
    .map((field) => context.columnName(entity, field))
    .filter((column) => column !== null && !table.columns.has(column))
  if (missing.length > 0) return `${name} has no column ${missing.join(", ")}`
  const looseColumns = lookupFields[entity]
    .filter((field) =>
      isLooselyCompared(table, columnNameOf(context, entity, field), toleratesCase(field)),
    )
    .map((field) => columnNameOf(context, entity, field))
  if (looseColumns.length > 0) {
    return `${name} takes one text for another in the column ${looseColumns.join(", ")}; copy its rows into new tables`
  }
  if (entity === "User" && context.idSource === "database" && table.reusesIds) {
    return `${name} may give the id of a deleted user to a new one, who would share sessions with them; copy its rows into a new table whose id is "integer primary key autoincrement"`
  }
  if (table.nonDateColumns.length === 0) return undefined
  return `${name} has other dates than ours in the column ${table.nonDateColumns.join(", ")}; copy its rows into new tables`
}

function isLooselyCompared(
  { looselyComparedColumns }: ExistingTable,
  column: string,
  isAddress: boolean,
): boolean {
  const caseOnly = looselyComparedColumns.get(column)
  return caseOnly !== undefined && !(isAddress && caseOnly)
}

/** Returns the column of a field that every table has. */
export function columnNameOf(context: MigrationContext, entity: EntityName, field: string): string {
  return context.columnName(entity, field) ?? field
}
