/** The names of tables and columns in the database. */
import { type EntityField, type EntityName, entityFields, type TableNames } from "./tables.ts"

/** Fields whose columns an existing table may lack. */
type OptionalField<Name extends EntityName> = Name extends "Account" | "Session" ? "id" : never

/** The name of a table, or its name and those of its columns. */
export type EntityNaming<Name extends EntityName> =
  | string
  | {
      /** @defaultValue the name of the entity */
      readonly table?: string
      /**
       * Names of columns, by field. `null` means that the table has no such column, which is possible for the `id` of
       * accounts and sessions.
       */
      readonly columns?: Readonly<
        { [Field in Exclude<EntityField<Name>, OptionalField<Name>>]?: string } & {
          [Field in OptionalField<Name>]?: string | null
        }
      >
    }

/** Names of tables and columns, by entity. */
export type SchemaNaming = { readonly [Name in EntityName]?: EntityNaming<Name> }

/** All names. */
export interface SchemaLayout {
  readonly tables: TableNames
  /** Returns the column of a field; null if the table has none. */
  column(entity: EntityName, field: string): string | null
}

const identifierPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
/** Names of indexes and constraints derive from it, and PostgreSQL limits them to 63 characters. */
const maxTableNameLength = 44

/**
 * Applies the default names.
 * @throws TypeError naming the name that cannot be used
 */
export function resolveLayout(names: SchemaNaming): SchemaLayout {
  const tables: Record<string, string> = {}
  const columns = new Map<string, string | null>()
  for (const entity of Object.keys(names)) {
    if (!Object.hasOwn(entityFields, entity)) {
      const known = Object.keys(entityFields).join(", ")
      throw new TypeError(`\`names.${entity}\` names no entity: expected one of ${known}.`)
    }
  }
  for (const entity of Object.keys(entityFields) as EntityName[]) {
    const naming = names[entity] ?? {}
    const normalizedNaming = typeof naming === "string" ? { table: naming } : naming
    tables[entity] = validateTableName(`names.${entity}`, normalizedNaming.table ?? entity)
    for (const [field, column] of Object.entries(readColumnNames(normalizedNaming))) {
      columns.set(`${entity}.${field}`, validateColumnName(entity, field, column))
    }
    const columnNames = entityFields[entity].flatMap((field) => {
      const column = columns.get(`${entity}.${field}`)
      return column === null ? [] : [column ?? field]
    })
    if (new Set(columnNames.map((column) => column.toLowerCase())).size < columnNames.length) {
      throw new TypeError(`\`names.${entity}\` must give every field a column of its own.`)
    }
  }
  const distinctTableNames = new Set(Object.values(tables).map((name) => name.toLowerCase()))
  if (distinctTableNames.size < Object.keys(tables).length) {
    throw new TypeError("`names` must give every entity a table of its own.")
  }
  return {
    // The loop above has set all entities.
    tables: tables as TableNames,
    column: (entity, field) => {
      const column = columns.get(`${entity}.${field}`)
      return column === undefined ? field : column
    },
  }
}

function readColumnNames(named: object): object {
  return "columns" in named && typeof named.columns === "object" && named.columns !== null
    ? named.columns
    : {}
}

function validateTableName(option: string, name: unknown): string {
  if (
    typeof name !== "string" ||
    !identifierPattern.test(name) ||
    name.length > maxTableNameLength
  ) {
    throw new TypeError(
      `\`${option}\` must be letters, digits and "_", ${maxTableNameLength} at most.`,
    )
  }
  return name
}

function validateColumnName(entity: EntityName, field: string, name: unknown): string | null {
  const option = `names.${entity}.columns.${field}`
  if (!entityFields[entity].includes(field)) {
    const known = entityFields[entity].join(", ")
    throw new TypeError(`\`${option}\` names no field: expected one of ${known}.`)
  }
  if (name === null && field === "id" && (entity === "Account" || entity === "Session")) return null
  if (typeof name !== "string" || !identifierPattern.test(name)) {
    throw new TypeError(`\`${option}\` must be letters, digits and "_", 63 at most.`)
  }
  return name
}
