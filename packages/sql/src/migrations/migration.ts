import type { Compilable, RawBuilder } from "kysely"
import type { ColumnType, Dialect } from "../engine.ts"
import type { IdSource } from "../schema/id-codecs.ts"
import type { KeyColumn } from "../schema/key-lengths.ts"
import type { EntityName, TableNames } from "../schema/tables.ts"
import type { QueryBuilder } from "../store.ts"

/** The parameters of a migration. */
export interface MigrationContext {
  readonly query: QueryBuilder
  readonly dialect: Dialect
  readonly tableNames: TableNames
  readonly idSource: IdSource
  /** Returns the column of a field; null if the application's table has none. */
  columnName(entity: EntityName, field: string): string | null
  /** Returns the type of a column that rows are found by. */
  keyType(column: KeyColumn): ColumnType
  readonly tableOptions: RawBuilder<unknown> | undefined
  /** Existing tables that are adopted. */
  readonly existing: ExistingTables
}

/** Adopted tables, by entity. */
export type ExistingTables = ReadonlyMap<EntityName, ExistingTable>

/** The structure of an existing table. */
export interface ExistingTable {
  readonly columns: ReadonlySet<string>
  /** Columns of each unique index. */
  readonly uniqueIndexes: readonly ReadonlySet<string>[]
  /** The first columns of its indexes. */
  readonly leadingIndexColumns: ReadonlySet<string>
  /** Columns that refer to another table. */
  readonly foreignKeyColumns: ReadonlySet<string>
  /** Columns that treat different texts as equal, and whether they only ignore case. */
  readonly looselyComparedColumns: ReadonlyMap<string, boolean>
  /** Columns of dates that hold something else. */
  readonly nonDateColumns: readonly string[]
  /** Whether new rows may get the ids of deleted ones. */
  readonly reusesIds: boolean
  /** Whether its indexes are created while rows are written. */
  readonly isLarge: boolean
}

/** An index that a table lacks. */
export interface NewIndex {
  readonly create: Compilable
  /** Whether it is created by itself, while rows are written. */
  readonly isConcurrent: boolean
}

/** A step of the schema. Released steps are never changed: corrections are new steps. */
export interface Migration {
  /**
   * Steps are numbered from 1, and those of each later major version from the next thousand. Those that an option requires
   * have negative numbers, so that the version of a database, which is the highest number, does not depend on options.
   */
  readonly version: number
  readonly name: string
  statements(context: MigrationContext): readonly Compilable[]
  /** Indexes that are created afterwards, each by itself, while rows are written. Nothing may depend on them but speed. */
  concurrentIndexes?(context: MigrationContext): readonly Compilable[]
}
