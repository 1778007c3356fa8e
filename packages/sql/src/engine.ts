/** The interface of a database engine. Each folder below `engines/` implements it. */

import type { DatabaseErrorCode, ValueKind } from "@latchkey/adapter-kit"
import type { Awaitable } from "@latchkey/core/types"
import type {
  ColumnDataType,
  ColumnDefinitionBuilder,
  Dialect as KyselyDialect,
  RawBuilder,
} from "kysely"

/** A row as the driver returns it. */
export type Row = Readonly<Record<string, unknown>>

/** SQL with placeholders, and their values in order. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** False for statements that only change rows. */
  readonly returnsRows: boolean
  /** False if a statement that fails leaves something behind, so that it must not be tried again. @defaultValue true */
  readonly isRepeatable?: boolean
}

/** The result of a statement. */
export interface StatementResult {
  readonly rows: readonly Row[]
  /** Number of changed rows; 0 for statements that return rows. */
  readonly affected: number
  /** The id that the database assigned to an inserted row, if the driver reports it. */
  readonly insertedId?: unknown
}

/** Kinds of columns. A `key` is text that is compared exactly and can be indexed; an `id` identifies a row. */
export type ColumnKind = ValueKind | "id"

/** The type of a column, in Kysely's terms or in SQL. */
export type ColumnType = ColumnDataType | RawBuilder<unknown>

/** Types of columns. Ids have types of their own. */
interface ColumnTypes extends Readonly<Record<Exclude<ColumnKind, "id" | "key">, ColumnType>> {
  /** @param maxLength in characters */
  key(maxLength: number): ColumnType
}

/** Ids that the database counts. */
interface AutoIncrementIds {
  /** The type of the id, and of columns that refer to it. */
  readonly type: ColumnType
  /** Makes the database fill the column. */
  applyAutoIncrement(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
}

/** Converts between JavaScript values and those of the driver. Never called with null. */
interface Codec<Value> {
  /** Returns undefined if the engine cannot hold the value. */
  encode(value: Value): unknown
  /** @throws TypeError if the column holds something else */
  decode(stored: unknown): Value
}

/** Conversions that differ between engines and drivers. */
export interface Codecs {
  readonly boolean: Codec<boolean>
  /** Keeps milliseconds. */
  readonly date: Codec<Date>
  /** Whether text may contain the character NUL. */
  readonly supportsNul: boolean
}

/** The failure that a driver's error reports. */
export interface Diagnosis {
  readonly code: DatabaseErrorCode
  /** The driver's message without values of rows, because it ends up in logs. */
  readonly detail: string
  /** Replaces the driver's error if that one may hold values of rows. */
  readonly cause?: unknown
}

/** Statements that inspect a table by its name. Each returns one row per result. */
export interface IntrospectionQueries {
  /** Rows with `name`. */
  columns(table: string): Statement
  /** Rows with `index` and `column`, for each column of each unique index. */
  uniqueIndexes(table: string): Statement
  /** Rows with `name`: the first column of each index. */
  leadingIndexColumns(table: string): Statement
  /** Rows with `name`: the columns that refer to another table. */
  foreignKeyColumns(table: string): Statement
  /**
   * Rows with `name` and `caseOnly`: the columns that treat different texts as equal, and whether they only ignore
   * case.
   * @param columns of the table
   */
  looselyComparedColumns(table: string, columns: readonly string[]): Statement
  /**
   * Rows with `name`: the columns that hold something else than dates.
   * @param columns of the table, at least one
   */
  readonly nonDateColumns?: (table: string, columns: readonly string[]) => Statement
  /** A row if new rows may get the ids of deleted ones. */
  readonly reusedIds?: (table: string) => Statement
}

/** How an index is created while rows of its table are written. */
export interface ConcurrentIndexing {
  /** Returns a row if creating an index of the table would block writers for a noticeable time. */
  findLargeTable(table: string): Statement
  /** Changes a statement that creates an index. No transaction may be open: it waits for all of them. */
  create(statement: Statement): Statement
  /** Returns SQL that does so with a unique index or a foreign key, one statement after the other. */
  listConstraintStatements(statement: Statement): readonly string[]
}

/** All differences between engines, by name. */
export interface Dialect {
  readonly name: DialectName
  /** Kysely's compiler for the engine. Its driver is never used. */
  readonly kysely: KyselyDialect
  /** Whether INSERT, UPDATE and DELETE can return the rows that they changed. */
  readonly supportsReturning: boolean
  /** Whether rolling back a transaction also undoes schema changes. */
  readonly supportsTransactionalDdl: boolean
  /** Whether a foreign key can be added to an existing table. */
  readonly supportsAddForeignKey: boolean
  /** For databases that can create an index without blocking writers. */
  readonly concurrentIndexing?: ConcurrentIndexing
  /** Whether text is compared character by character unless a column specifies otherwise. */
  readonly comparesTextExactly: boolean
  /** Whether INSERT skips existing rows with IGNORE instead of ON CONFLICT. */
  readonly supportsInsertIgnore?: boolean
  /** How a DELETE limits the number of rows. */
  readonly deleteLimitStyle: "clause" | "subquery"
  readonly codecs: Codecs
  readonly columnTypes: ColumnTypes
  readonly autoIncrementIds: AutoIncrementIds
  /** The current time in SQL, in the form of `codecs.date`. */
  readonly now: RawBuilder<unknown>
  /** Follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions?: RawBuilder<unknown>
  /** Selects a date in a form that `codecs.date` can decode, whatever the driver does to dates. */
  selectDate(column: RawBuilder<unknown>): RawBuilder<unknown>
  readonly introspection: IntrospectionQueries
  diagnoseError(error: unknown): Diagnosis
  /** For engines without transactional schema changes: whether an error means that a change was made before. */
  readonly isAlreadyAppliedError?: (error: unknown) => boolean
}

/** Kinds of databases. MariaDB counts as `mysql`. */
export type DialectName = "mysql" | "postgres" | "sqlite"

/** Receives the notifications about a table. */
export interface NotificationHandlers {
  onNotification(payload: string): void
  /** Called with the error when notifications may have been lost, and without one when they arrive again. */
  onInterruption(...reason: readonly [] | readonly [error: unknown]): void
}

/** A connected database. */
export interface Engine {
  readonly dialect: Dialect
  /** Runs one statement outside any transaction. */
  execute(statement: Statement): Awaitable<StatementResult>
  /**
   * Runs all statements or none, isolated from other connections. Parameters may be `InsertedIdReference`s. Waits for
   * locks.
   */
  transaction(statements: readonly Statement[]): Awaitable<readonly StatementResult[]>
  /**
   * For connections that can receive notifications: passes those about a table on. Resolves once it listens, to a
   * function that ends it.
   */
  readonly listen?: (table: string, handlers: NotificationHandlers) => Promise<() => Promise<void>>
  /**
   * For engines without transactional schema changes: runs work on one connection while no other process holds the same
   * lock. If a process dies, its lock is released.
   */
  readonly withMigrationLock?: <Value>(
    work: (execute: Engine["execute"]) => Promise<Value>,
  ) => Promise<Value>
}

/** Settings of an engine. */
export interface EngineOptions {
  /** How long to wait for a lock of another connection, in milliseconds. */
  readonly busyTimeout: number
}
