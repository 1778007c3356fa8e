/** What tables and columns are called in the database. */
import { type Entity, entities, type FieldOf, type TableNames } from "./tables.ts"

/** Columns that an existing table may lack. */
type Dispensable<Name extends Entity> = Name extends "Account" | "Session" ? "id" : never

/** The name of a table, or its name and those of its columns. */
export type EntityNames<Name extends Entity> =
  | string
  | {
      /** @defaultValue the name of the entity */
      readonly table?: string
      /**
       * Names of columns, by field. `null` says that the table has no such column: for the `id` of accounts and
       * sessions.
       */
      readonly columns?: Readonly<
        { [Field in Exclude<FieldOf<Name>, Dispensable<Name>>]?: string } & {
          [Field in Dispensable<Name>]?: string | null
        }
      >
    }

/** Names of tables and columns, by entity. */
export type Names = { readonly [Name in Entity]?: EntityNames<Name> }

/** Every name. */
export interface Layout {
  readonly tables: TableNames
  /** The column of a field; null when the table has none. */
  column(entity: Entity, field: string): string | null
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
/** Names of indices and constraints are made of it, and have 63 characters in PostgreSQL. */
const longestTable = 44

/**
 * Applies the defaults: the names of the specification.
 * @throws TypeError naming the name that cannot be used
 */
export function resolveNames(names: Names): Layout {
  const tables: Record<string, string> = {}
  const columns = new Map<string, string | null>()
  for (const entity of Object.keys(names)) {
    if (!Object.hasOwn(entities, entity)) {
      const known = Object.keys(entities).join(", ")
      throw new TypeError(`\`names.${entity}\` names no entity: expected one of ${known}.`)
    }
  }
  for (const entity of Object.keys(entities) as Entity[]) {
    const given = names[entity] ?? {}
    const named = typeof given === "string" ? { table: given } : given
    tables[entity] = checkedTable(`names.${entity}`, named.table ?? entity)
    for (const [field, column] of Object.entries(columnsIn(named))) {
      columns.set(`${entity}.${field}`, checkedColumn(entity, field, column))
    }
    const own = entities[entity].flatMap((field) => {
      const column = columns.get(`${entity}.${field}`)
      return column === null ? [] : [column ?? field]
    })
    if (new Set(own.map((column) => column.toLowerCase())).size < own.length) {
      throw new TypeError(`\`names.${entity}\` must give every field a column of its own.`)
    }
  }
  const different = new Set(Object.values(tables).map((name) => name.toLowerCase()))
  if (different.size < Object.keys(tables).length) {
    throw new TypeError("`names` must give every entity a table of its own.")
  }
  return {
    // The loop above went through all entities.
    tables: tables as TableNames,
    column: (entity, field) => {
      const column = columns.get(`${entity}.${field}`)
      return column === undefined ? field : column
    },
  }
}

function columnsIn(named: object): object {
  return "columns" in named && typeof named.columns === "object" && named.columns !== null
    ? named.columns
    : {}
}

function checkedTable(option: string, name: unknown): string {
  if (typeof name !== "string" || !identifier.test(name) || name.length > longestTable) {
    throw new TypeError(`\`${option}\` must be letters, digits and "_", ${longestTable} at most.`)
  }
  return name
}

function checkedColumn(entity: Entity, field: string, name: unknown): string | null {
  const option = `names.${entity}.columns.${field}`
  if (!(entities[entity] as readonly string[]).includes(field)) {
    const known = entities[entity].join(", ")
    throw new TypeError(`\`${option}\` names no field: expected one of ${known}.`)
  }
  if (name === null && field === "id" && (entity === "Account" || entity === "Session")) return null
  if (typeof name !== "string" || !identifier.test(name)) {
    throw new TypeError(`\`${option}\` must be letters, digits and "_", 63 at most.`)
  }
  return name
}
