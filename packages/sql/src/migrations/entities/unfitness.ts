/** What keeps a table that another library made from being adopted. */
import { type Entity, entities } from "../../schema/tables.ts"
import type { ExistingTable, MigrationContext } from "../migration.ts"

/** What rows are found by. The library has addresses in lower case only, so that case does not matter in them. */
const keys: Readonly<Record<Entity, readonly string[]>> = {
  User: ["email"],
  Account: ["provider", "providerAccountId"],
  Session: ["sessionToken"],
  VerificationToken: ["identifier", "token"],
  Authenticator: ["credentialID"],
  LatchkeyLease: [],
  LatchkeyMigration: [],
}
const addresses: readonly string[] = ["email", "identifier"]

/** Says why a table cannot be adopted; undefined when it can. */
export function unfitness(
  context: MigrationContext,
  entity: Entity,
  table: ExistingTable,
): string | undefined {
  const name = context.names[entity]
  if (!context.dialect.comparesExactly) {
    return `${name} may take é for e, which is one person for another; copy its rows into new tables`
  }
  const missing = entities[entity]
    .map((field) => context.column(entity, field))
    .filter((column) => column !== null && !table.columns.has(column))
  if (missing.length > 0) return `${name} has no column ${missing.join(", ")}`
  const generous = keys[entity]
    .filter((field) => isGenerous(table, named(context, entity, field), addresses.includes(field)))
    .map((field) => named(context, entity, field))
  if (generous.length > 0) {
    return `${name} takes one text for another in the column ${generous.join(", ")}; copy its rows into new tables`
  }
  if (table.undated.length === 0) return undefined
  return `${name} has other dates than ours in the column ${table.undated.join(", ")}; copy its rows into new tables`
}

function isGenerous({ generous }: ExistingTable, column: string, isAddress: boolean): boolean {
  const caseOnly = generous.get(column)
  return caseOnly !== undefined && !(isAddress && caseOnly)
}

/** The column of a field that every table has. */
export function named(context: MigrationContext, entity: Entity, field: string): string {
  return context.column(entity, field) ?? field
}
