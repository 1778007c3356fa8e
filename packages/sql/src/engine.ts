/** What the package needs of a database engine. Each folder below `engines/` implements this. */

import type { Awaitable } from "@latchkey/core/types"
import type { ColumnDataType, Dialect as KyselyDialect, RawBuilder } from "kysely"
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
export interface Result {
  readonly rows: readonly Row[]
  /** Number of changed rows; not told (0) for a statement that returns rows. */
  readonly affected: number
}

/** What a column holds. A `key` is text that is compared exactly and can be indexed. */
export type ColumnKind = "boolean" | "date" | "integer" | "json" | "key" | "number" | "text"

/** The type of a column in the words of Kysely, or in SQL. */
export type ColumnType = ColumnDataType | RawBuilder<unknown>

/** Translates between a value of JavaScript and what the driver reads and writes; never sees null. */
interface Codec<Value> {
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
}

/** The failure that an error of the driver reports. */
export interface Diagnosis {
  readonly code: SqlErrorCode
  /** The driver's words, without any value of a row: they end up in logs. */
  readonly detail: string
}

/** Everything in which engines differ, by name. */
export interface Dialect {
  readonly name: string
  /** Kysely's compiler for the engine; its driver is never used. */
  readonly kysely: KyselyDialect
  /** Whether UPDATE and DELETE can return the rows that they touched. */
  readonly supportsReturning: boolean
  readonly codecs: Codecs
  readonly columnTypes: Readonly<Record<ColumnKind, ColumnType>>
  /** Follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions?: RawBuilder<unknown>
  /** A statement that lists the columns of a table, one row each, as `name`. */
  listColumns(table: string): Statement
  diagnose(error: unknown): Diagnosis
}

/** A database that statements can be sent to. */
export interface Engine {
  readonly dialect: Dialect
  /** Runs one statement, in no transaction but its own. */
  execute(statement: Statement): Awaitable<Result>
  /**
   * Runs all statements or none, and nothing of anybody else between them. Waits first for any transaction
   * of the same kind that another process is in.
   */
  transaction(statements: readonly Statement[]): Awaitable<readonly Result[]>
}

/** Settings of an engine. */
export interface EngineOptions {
  /** How long to wait for a lock of another connection, in milliseconds. */
  readonly busyTimeout: number
}
