import type { SessionRecordMethods } from "@latchkey/adapter-kit"
import type { Awaitable } from "@latchkey/core/types"
import type { SqlAdapterOptions, SqlDatabase } from "@latchkey/sql"
import type { DialectName } from "../../../src/engine.ts"
import { openEngine } from "../../../src/engines/open-engine.ts"
import { resolveOptions } from "../../../src/options.ts"
import { createSqlAdapter, type SqlAdapter } from "../../../src/sql-adapter.ts"

export type Row = Record<string, unknown>

/** Registers a function that runs when a database is no longer needed. */
export type OnFinished = (release: () => Awaitable<void>) => void

/** An empty database that is dropped after the test. */
export interface TestDatabase {
  /** The argument for the adapter. */
  readonly database: SqlDatabase
  /** Runs SQL with `"names"` and `?` without the adapter. Returns dates, booleans and numbers as such. */
  query(sql: string, ...values: unknown[]): Promise<Row[]>
  /** Opens another connection to the same database, like a second process. */
  reconnect?(): SqlDatabase
  /** Opens another connection through a local port. */
  connectThroughPort?(port: number): SqlDatabase
  /** The argument of `connectTo` in another process. */
  readonly address?: string
  /** The address of the server. */
  readonly server?: { readonly host: string; readonly port: number }
}

/** The options of the conformance suite: a second connection, one that can be interrupted, or notifications. */
export type ConnectionFeature = "interrupt" | "second" | "watchSessionChanges"

/** A kind of database. */
export interface DatabaseKind {
  readonly name: string
  readonly dialect: DialectName
  readonly features?: readonly ConnectionFeature[]
  /** @param onFinished drops the database after the test unless it is shared */
  open(onFinished?: OnFinished): Promise<TestDatabase>
}

type CreatedKind = DatabaseKind & { readonly withoutReturning?: boolean }

/** Creates the adapter. Some kinds simulate an engine without RETURNING. */
export function createAdapter(
  kind: CreatedKind,
  opened: TestDatabase,
  options: SqlAdapterOptions & { readonly sessionRecords: true },
): SqlAdapter & SessionRecordMethods
export function createAdapter(
  kind: CreatedKind,
  opened: TestDatabase,
  options?: SqlAdapterOptions,
): SqlAdapter
export function createAdapter(
  kind: CreatedKind,
  { database }: TestDatabase,
  options: SqlAdapterOptions = {},
): SqlAdapter {
  const resolved = resolveOptions(options)
  const engine = openEngine(database, resolved)
  const { dialect } = engine
  const supportsReturning = dialect.supportsReturning && !kind.withoutReturning
  return createSqlAdapter({ ...engine, dialect: { ...dialect, supportsReturning } }, resolved)
}

/** Returns all rows of a table. */
export function readTable({ query }: TestDatabase, table: string): Promise<Row[]> {
  return query(`select * from "${table}"`)
}

/** Returns the names of all tables. */
export async function listTables(kind: DatabaseKind, { query }: TestDatabase): Promise<unknown[]> {
  const schema = kind.dialect === "mysql" ? "database()" : "current_schema()"
  const rows =
    kind.dialect === "sqlite"
      ? await query("select name from sqlite_schema where type = 'table'")
      : await query(
          `select table_name as name from information_schema.tables where table_schema = ${schema}`,
        )
  return rows.map(({ name }) => name).toSorted()
}
