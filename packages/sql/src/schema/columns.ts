/** Parts of queries that name columns, for tables whose columns the application may have named. */
import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely"
import type { Dialect } from "../engine.ts"
import { slot } from "../query.ts"
import type { Layout } from "./layout.ts"
import type { Entity } from "./tables.ts"
import type { UserFields } from "./user-fields.ts"

/** A column that is read, under a name. */
type Read = AliasedRawBuilder<unknown, string>

/** Names columns by the fields of entities. */
export interface Columns {
  /** The column of a field. */
  of(entity: Entity, field: string): RawBuilder<unknown>
  /** The column of a field, in a query of several tables. */
  in(entity: Entity, field: string): RawBuilder<unknown>
  /** Reads fields, each under its own name; dates in the form that codecs decode. */
  read(entity: Entity, fields: readonly string[]): Read[]
  /** The same in a query of several tables. @param as makes the name of what is read */
  readFrom(entity: Entity, fields: readonly string[], as?: (field: string) => string): Read[]
  /** A slot for each field that the table has a column for, under the field's name. */
  slots(entity: Entity, fields: readonly string[]): Record<string, RawBuilder<unknown>>
}

/** The fields that hold dates. */
export const dates: readonly string[] = [
  "User.emailVerified",
  "Session.expires",
  "VerificationToken.expires",
  "LatchkeyLease.expires",
]

export function createColumns(dialect: Dialect, layout: Layout, userFields: UserFields): Columns {
  const isDate = (entity: Entity, field: string) =>
    dates.includes(`${entity}.${field}`) || (entity === "User" && userFields[field] === "date")

  const name = (entity: Entity, field: string) => {
    const column = layout.column(entity, field)
    if (column === null) throw new TypeError(`The table of ${entity} has no column ${field}.`)
    return column
  }

  function readAs(entity: Entity, field: string, place: string, alias: string): Read {
    const column = sql.ref(`${place}${name(entity, field)}`)
    return (isDate(entity, field) ? dialect.selectDate(column) : column).as(alias)
  }

  return {
    of: (entity, field) => sql.ref(name(entity, field)),
    in: (entity, field) => sql.ref(`${entity}.${name(entity, field)}`),
    read: (entity, fields) => fields.map((field) => readAs(entity, field, "", field)),
    readFrom: (entity, fields, as = (field) => field) =>
      fields.map((field) => readAs(entity, field, `${entity}.`, as(field))),
    slots: (entity, fields) => {
      const present = fields.filter((field) => layout.column(entity, field) !== null)
      return Object.fromEntries(present.map((field) => [name(entity, field), slot(field)]))
    },
  }
}
