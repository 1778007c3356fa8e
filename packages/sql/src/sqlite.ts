/** Opens SQLite databases with settings for authentication. Needs Node.js 22.16 or newer. */
import type { DatabaseSync } from "node:sqlite"
import { isBusy } from "./engines/sqlite/diagnose-error.ts"

/** Options of `openSqlite`. */
export interface OpenSqliteOptions {
  /**
   * How long SQLite may block the thread to wait for a lock, in milliseconds. After that, the adapter keeps waiting
   * without blocking the thread.
   * @defaultValue 100
   */
  readonly busyTimeout?: number
}

/**
 * Opens or creates a database file with a write-ahead log (readers and the writer do not wait for each other), enforced
 * foreign keys, and commits that survive a power failure, so that a sign-out stays a sign-out.
 * @param path the file, or `:memory:`
 * @throws Error of the driver if the file cannot be opened; TypeError if Node.js has no SQLite
 */
export function openSqlite(path: string, options: OpenSqliteOptions = {}): DatabaseSync {
  const { busyTimeout = 100 } = options
  if (!Number.isInteger(busyTimeout) || busyTimeout < 0) {
    throw new TypeError("`busyTimeout` must be a whole number of milliseconds, 0 or more.")
  }
  const { DatabaseSync } = loadSqliteModule()
  const database = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    timeout: busyTimeout,
  })
  try {
    enableWriteAheadLog(database)
    database.exec("pragma synchronous = full")
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Loads the module on demand: if an import failed, Node.js would not report which version is needed. */
function loadSqliteModule(): typeof import("node:sqlite") {
  const module = process.getBuiltinModule?.("node:sqlite")
  if (module) return module
  throw new TypeError(
    `Node.js ${process.versions.node} has no SQLite. Use 22.16 or newer, or hand SqlAdapter a database of better-sqlite3.`,
  )
}

/** How long to wait for other processes that open the same new file, in milliseconds. */
const walTimeout = 5000

/** SQLite does not wait for locks while it changes the journal mode, so that processes have to retry. */
function enableWriteAheadLog(database: DatabaseSync): void {
  const deadline = performance.now() + walTimeout
  for (;;) {
    try {
      database.exec("pragma journal_mode = wal")
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      sleepSync(5)
    }
  }
}

/** Blocks the thread. */
function sleepSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
