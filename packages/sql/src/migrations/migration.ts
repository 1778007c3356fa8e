import type { Compilable, RawBuilder } from "kysely"
import type { ColumnType, Dialect } from "../engine.ts"
import type { IdSource } from "../schema/id-codecs.ts"
import type { KeyColumn } from "../schema/key-lengths.ts"
import type { EntityName, TableNames } from "../schema/tables.ts"
import type { QueryBuilder } from "../store.ts"

/** What a migration may use. */
export interface MigrationContext {
  readonly query: QueryBuilder
  readonly dialect: Dialect
  readonly tableNames: TableNames
  readonly idSource: IdSource
  /** The column of a field; null when the table of the application has none. */
  columnName(entity: EntityName, field: string): string | null
  /** The type of a column that rows are found by. */
  keyType(column: KeyColumn): ColumnType
  readonly tableOptions: RawBuilder<unknown> | undefined
  /** What is there already, of tables that are adopted. */
  readonly existing: ExistingTables
}

/** Tables that are adopted, by entity. */
export type ExistingTables = ReadonlyMap<EntityName, ExistingTable>

/** What an existing table has. */
export interface ExistingTable {
  readonly columns: ReadonlySet<string>
  /** Columns of each unique index. */
  readonly uniqueIndexes: readonly ReadonlySet<string>[]
  /** Columns with which an index begins. */
  readonly leadingIndexColumns: ReadonlySet<string>
  /** Columns that refer to another table. */
  readonly foreignKeyColumns: ReadonlySet<string>
  /** Columns that take one text for another, and whether they do so in upper and lower case only. */
  readonly looselyComparedColumns: ReadonlyMap<string, boolean>
  /** Columns of dates that hold something else. */
  readonly nonDateColumns: readonly string[]
}

/** A step of the schema. Once released it is never changed: corrections are new steps. */
export interface Migration {
  /** Steps are numbered from 1 without gaps. */
  readonly version: number
  readonly name: string
  statements(context: MigrationContext): readonly Compilable[]
}
