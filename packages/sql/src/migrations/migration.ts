import type { Compilable, RawBuilder } from "kysely"
import type { ColumnKind, ColumnType } from "../engine.ts"
import type { TableNames } from "../schema/tables.ts"
import type { Query } from "../store.ts"

/** What a migration may use. */
export interface MigrationContext {
  readonly query: Query
  readonly names: TableNames
  readonly types: Readonly<Record<ColumnKind, ColumnType>>
  readonly tableOptions: RawBuilder<unknown> | undefined
}

/** A step of the schema. Once released it is never changed: corrections are new steps. */
export interface Migration {
  /** Steps are numbered from 1 without gaps. */
  readonly version: number
  readonly name: string
  statements(context: MigrationContext): readonly Compilable[]
}
