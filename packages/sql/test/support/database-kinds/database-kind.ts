import type { Awaitable } from "@latchkey/core/types"
import type { SqlAdapterOptions, SqlDatabase } from "@latchkey/sql"
import type { DialectName } from "../../../src/engine.ts"
import { openEngine } from "../../../src/engines/open-engine.ts"
import { resolveOptions } from "../../../src/options.ts"
import { createSqlAdapter, type SqlAdapter } from "../../../src/sql-adapter.ts"

export type Row = Record<string, unknown>

/** Registers a function that runs when a database is no longer needed. */
export type OnFinished = (release: () => Awaitable<void>) => void

/** An empty database that is gone after the test. */
export interface TestDatabase {
  /** What the adapter is given. */
  readonly database: SqlDatabase
  /** Runs SQL with `"names"` and `?` behind the adapter's back. Dates, booleans and numbers come as such. */
  query(sql: string, ...values: unknown[]): Promise<Row[]>
  /** Another connection to the same database, as a second process has one. */
  reconnect?(): SqlDatabase
  /** Another connection, by way of a port of this machine. */
  connectThroughPort?(port: number): SqlDatabase
  /** For `connectTo` in another process. */
  readonly address?: string
  /** Where the server is. */
  readonly server?: { readonly host: string; readonly port: number }
}

/** What the conformance suite can use: a second connection, or one that it can interrupt. */
export type ConnectionFeature = "interrupt" | "second"

/** A kind of database. */
export interface DatabaseKind {
  readonly name: string
  readonly dialect: DialectName
  readonly features?: readonly ConnectionFeature[]
  /** @param onFinished ends the database with the test unless it is shared */
  open(onFinished?: OnFinished): Promise<TestDatabase>
}

/** The adapter, used as on an engine that cannot give back the rows it changed when the kind says so. */
export function createAdapter(
  kind: DatabaseKind & { readonly withoutReturning?: boolean },
  { database }: TestDatabase,
  options: SqlAdapterOptions = {},
): SqlAdapter {
  const resolved = resolveOptions(options)
  const engine = openEngine(database, resolved)
  const { dialect } = engine
  const supportsReturning = dialect.supportsReturning && !kind.withoutReturning
  return createSqlAdapter({ ...engine, dialect: { ...dialect, supportsReturning } }, resolved)
}

/** Everything in a table. */
export function readTable({ query }: TestDatabase, table: string): Promise<Row[]> {
  return query(`select * from "${table}"`)
}

/** The names of our tables, and of others. */
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
