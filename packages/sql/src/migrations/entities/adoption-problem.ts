/** What keeps a table that another library made from being adopted. */
import { type EntityName, entityFields } from "../../schema/tables.ts"
import type { ExistingTable, MigrationContext } from "../migration.ts"

/** What rows are found by. The library has addresses in lower case only, so that case does not matter in them. */
const lookupFields: Readonly<Record<EntityName, readonly string[]>> = {
  User: ["email"],
  Account: ["provider", "providerAccountId"],
  Session: ["sessionToken"],
  VerificationToken: ["identifier", "token"],
  Authenticator: ["credentialID"],
  LatchkeyLease: [],
  LatchkeyMigration: [],
}
const addressFields: readonly string[] = ["email", "identifier"]

/** Says why a table cannot be adopted; undefined when it can. */
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
      isLooselyCompared(table, columnNameOf(context, entity, field), addressFields.includes(field)),
    )
    .map((field) => columnNameOf(context, entity, field))
  if (looseColumns.length > 0) {
    return `${name} takes one text for another in the column ${looseColumns.join(", ")}; copy its rows into new tables`
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

/** The column of a field that every table has. */
export function columnNameOf(context: MigrationContext, entity: EntityName, field: string): string {
  return context.columnName(entity, field) ?? field
}
