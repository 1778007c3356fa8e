/** Query parts for columns that the application may have renamed. */
import { recordFields, type UserFields, type ValueKind } from "@latchkey/adapter-kit"
import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely"
import type { Dialect } from "../engine.ts"
import { namedParameter } from "../statement-template.ts"
import type { SchemaLayout } from "./layout.ts"
import type { EntityName } from "./tables.ts"

/** A selected column with an alias. */
type ColumnSelection = AliasedRawBuilder<unknown, string>

/** Finds columns by the fields of entities. */
export interface Columns {
  /** Returns the column of a field. */
  ref(entity: EntityName, field: string): RawBuilder<unknown>
  /** Returns the column of a field, for queries with several tables. */
  qualifiedRef(entity: EntityName, field: string): RawBuilder<unknown>
  /** Selects fields under their own names, and dates in the form that codecs decode. */
  selections(entity: EntityName, fields: readonly string[]): ColumnSelection[]
  /** Selects fields in a query with several tables. @param as returns the alias of a field */
  qualifiedSelections(
    entity: EntityName,
    fields: readonly string[],
    as?: (field: string) => string,
  ): ColumnSelection[]
  /** Creates a named parameter for each field that the table has a column for. */
  namedParameters(
    entity: EntityName,
    fields: readonly string[],
  ): Record<string, RawBuilder<unknown>>
}

const fieldKinds: { readonly [Name in EntityName]?: Readonly<Record<string, ValueKind>> } =
  recordFields

/** Whether a field holds dates. Additional fields of users are not known here. */
export function isDateField(entity: EntityName, field: string): boolean {
  return fieldKinds[entity]?.[field] === "date"
}

export function createColumns(
  dialect: Dialect,
  layout: SchemaLayout,
  userFields: UserFields,
): Columns {
  const isDate = (entity: EntityName, field: string) =>
    isDateField(entity, field) || (entity === "User" && userFields[field] === "date")

  const columnName = (entity: EntityName, field: string) => {
    const column = layout.column(entity, field)
    if (column === null) throw new TypeError(`The table of ${entity} has no column ${field}.`)
    return column
  }

  function selectAs(
    entity: EntityName,
    field: string,
    qualifier: string,
    alias: string,
  ): ColumnSelection {
    const column = sql.ref(`${qualifier}${columnName(entity, field)}`)
    return (isDate(entity, field) ? dialect.selectDate(column) : column).as(alias)
  }

  return {
    ref: (entity, field) => sql.ref(columnName(entity, field)),
    qualifiedRef: (entity, field) => sql.ref(`${entity}.${columnName(entity, field)}`),
    selections: (entity, fields) => fields.map((field) => selectAs(entity, field, "", field)),
    qualifiedSelections: (entity, fields, as = (field) => field) =>
      fields.map((field) => selectAs(entity, field, `${entity}.`, as(field))),
    namedParameters: (entity, fields) => {
      const present = fields.filter((field) => layout.column(entity, field) !== null)
      return Object.fromEntries(
        present.map((field) => [columnName(entity, field), namedParameter(field)]),
      )
    },
  }
}
