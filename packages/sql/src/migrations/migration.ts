import type { Compilable, RawBuilder } from "kysely"
import type { ColumnType, Dialect } from "../engine.ts"
import type { IdSource } from "../schema/ids.ts"
import type { KeyColumn } from "../schema/limits.ts"
import type { Entity, TableNames } from "../schema/tables.ts"
import type { Query } from "../store.ts"

/** What a migration may use. */
export interface MigrationContext {
  readonly query: Query
  readonly dialect: Dialect
  readonly names: TableNames
  readonly ids: IdSource
  /** The column of a field; null when the table of the application has none. */
  column(entity: Entity, field: string): string | null
  /** The type of a column that rows are found by. */
  key(column: KeyColumn): ColumnType
  readonly tableOptions: RawBuilder<unknown> | undefined
  /** What is there already, of tables that are adopted. */
  readonly existing: Existing
}

/** Tables that are adopted, by entity. */
export type Existing = ReadonlyMap<Entity, ExistingTable>

/** What an existing table has. */
export interface ExistingTable {
  readonly columns: ReadonlySet<string>
  /** Columns of each unique index. */
  readonly uniques: readonly ReadonlySet<string>[]
  /** Columns with which an index begins. */
  readonly indexed: ReadonlySet<string>
  /** Columns that refer to another table. */
  readonly references: ReadonlySet<string>
  /** Columns that take one text for another, and whether they do so in upper and lower case only. */
  readonly generous: ReadonlyMap<string, boolean>
  /** Columns of dates that hold something else. */
  readonly undated: readonly string[]
}

/** A step of the schema. Once released it is never changed: corrections are new steps. */
export interface Migration {
  /** Steps are numbered from 1 without gaps. */
  readonly version: number
  readonly name: string
  statements(context: MigrationContext): readonly Compilable[]
}
