/** What the package needs of a database engine. Each folder below `engines/` implements this. */

import type { Awaitable } from "@latchkey/core/types"
import type {
  ColumnDataType,
  ColumnDefinitionBuilder,
  Dialect as KyselyDialect,
  RawBuilder,
} from "kysely"
import type { SqlErrorCode } from "./errors.ts"

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** SQL with placeholders, and the values for them in order. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** False for a statement that only changes rows. */
  readonly returnsRows: boolean
}

/** What a statement did. */
export interface StatementResult {
  readonly rows: readonly Row[]
  /** Number of changed rows; not told (0) for a statement that returns rows. */
  readonly affected: number
  /** The id that the database gave to a stored row, where the driver tells it. */
  readonly insertedId?: unknown
}

/** What a column holds. A `key` is text that is compared exactly and can be indexed, an `id` names a row. */
export type ColumnKind = "boolean" | "date" | "id" | "integer" | "json" | "key" | "number" | "text"

/** The type of a column in the words of Kysely, or in SQL. */
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
  /** Makes the column of the id one that the database fills. */
  applyAutoIncrement(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
}

/** Translates between a value of JavaScript and what the driver reads and writes; never sees null. */
interface Codec<Value> {
  /** Undefined when the engine cannot hold the value. */
  encode(value: Value): unknown
  /** Throws a `TypeError` when the column holds something else. */
  decode(stored: unknown): Value
}

/** How the engine writes down what drivers do not agree about. */
export interface Codecs {
  readonly boolean: Codec<boolean>
  /** Keeps milliseconds. */
  readonly date: Codec<Date>
  /** The value is anything that `JSON.stringify` writes. */
  readonly json: Codec<unknown>
  /** Whether text may hold the character NUL. */
  readonly supportsNul: boolean
}

/** The failure that an error of the driver reports. */
export interface Diagnosis {
  readonly code: SqlErrorCode
  /** The driver's words, without any value of a row: they end up in logs. */
  readonly detail: string
  /** Stands for the driver's error where that one may hold values of rows. */
  readonly cause?: unknown
}

/** Statements that tell what is in a database, one row each. Each takes the name of a table. */
export interface IntrospectionQueries {
  /** Rows with `name`. */
  columns(table: string): Statement
  /** Rows with `index` and `column`, for each column of each unique index. */
  uniqueIndexes(table: string): Statement
  /** Rows with `name`: the columns with which an index begins. */
  leadingIndexColumns(table: string): Statement
  /** Rows with `name`: the columns that refer to another table. */
  foreignKeyColumns(table: string): Statement
  /**
   * Rows with `name` and `caseOnly`: the columns that take one text for another, or do so in upper and lower case only.
   * Not for engines whose tables are never adopted. @param columns of the table
   */
  readonly looselyComparedColumns?: (table: string, columns: readonly string[]) => Statement
  /** Rows with `name`: the columns that hold something else than dates. @param columns of the table, one at least */
  readonly nonDateColumns?: (table: string, columns: readonly string[]) => Statement
}

/** Everything in which engines differ, by name. */
export interface Dialect {
  readonly name: DialectName
  /** Kysely's compiler for the engine; its driver is never used. */
  readonly kysely: KyselyDialect
  /** Whether INSERT, UPDATE and DELETE can return the rows that they touched. */
  readonly supportsReturning: boolean
  /** Whether a transaction that fails takes back changes of the schema, too. */
  readonly supportsTransactionalDdl: boolean
  /** Whether a table that exists can be given a foreign key. */
  readonly supportsAddForeignKey: boolean
  /** Whether text is compared character by character unless a column says otherwise. */
  readonly comparesTextExactly: boolean
  /** Whether INSERT passes over a row that is there by the word IGNORE, instead of ON CONFLICT. */
  readonly supportsInsertIgnore?: boolean
  /** How a DELETE is kept to a number of rows. */
  readonly deleteLimitStyle: "clause" | "subquery"
  readonly codecs: Codecs
  readonly columnTypes: ColumnTypes
  readonly autoIncrementIds: AutoIncrementIds
  /** What `codecs.date` would make of this moment, in SQL. */
  readonly now: RawBuilder<unknown>
  /** Follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions?: RawBuilder<unknown>
  /** Makes of a column of dates what `codecs.date` decodes, whatever the driver would do to a date. */
  selectDate(column: RawBuilder<unknown>): RawBuilder<unknown>
  readonly introspection: IntrospectionQueries
  diagnoseError(error: unknown): Diagnosis
  /** Where the schema changes without a transaction: whether an error says that a change was made before. */
  readonly isAlreadyAppliedError?: (error: unknown) => boolean
}

/** Kinds of databases. MariaDB is a `mysql`. */
export type DialectName = "mysql" | "postgres" | "sqlite"

/** A database that statements can be sent to. */
export interface Engine {
  readonly dialect: Dialect
  /** Runs one statement, in no transaction but its own. */
  execute(statement: Statement): Awaitable<StatementResult>
  /**
   * Runs all statements or none, and nothing of anybody else between them. A parameter may be an `Earlier`. Waits
   * for locks of others.
   */
  transaction(statements: readonly Statement[]): Awaitable<readonly StatementResult[]>
  /**
   * Where the schema changes without a transaction: does some work on one connection, while no other process does
   * work under the same lock. The lock of a process that dies is free again.
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
