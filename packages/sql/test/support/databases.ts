/** The databases that every behaviour is tested on: all are real. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import type { Adapter } from "@latchkey/core/adapters"
import { openSqlite } from "@latchkey/sql/sqlite"
import { onTestFinished } from "vitest"
import { openEngine } from "../../src/engines/open.ts"
import { resolveOptions, type SqlAdapterOptions } from "../../src/options.ts"
import { adapterOn } from "../../src/sql-adapter.ts"

/** A kind of database. */
export interface Kind {
  readonly name: string
  open(): DatabaseSync
  adapter(database: DatabaseSync, options?: SqlAdapterOptions): Required<Adapter>
}

/** Path of a database file that is removed after the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-sql-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "auth.db")
}

/** Opens a database that is closed after the test. */
export function opened(path: string): DatabaseSync {
  const database = openSqlite(path)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

function adapter(
  database: DatabaseSync,
  options: SqlAdapterOptions,
  supportsReturning: boolean,
): Required<Adapter> {
  const resolved = resolveOptions(options)
  const engine = openEngine(database, resolved)
  return adapterOn({ ...engine, dialect: { ...engine.dialect, supportsReturning } }, resolved)
}

const memory: Kind = {
  name: "memory",
  open: () => opened(":memory:"),
  adapter: (database, options = {}) => adapter(database, options, true),
}

const file: Kind = { ...memory, name: "file", open: () => opened(temporaryFile()) }

/** SQLite, used as an engine is that cannot give back the rows it changed (MySQL). */
const withoutReturning: Kind = {
  ...memory,
  name: "memory, without RETURNING",
  adapter: (database, options = {}) => adapter(database, options, false),
}

export const kinds: readonly Kind[] = [memory, file, withoutReturning]
