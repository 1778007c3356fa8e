/** A database adapter of Auth.js, and a database for it. */
import type { Adapter } from "@auth/core/adapters"
import type { RowReader } from "@latchkey/testing"

/** An open database. */
export interface OpenDatabase extends AsyncDisposable {
  readonly adapter: Adapter
  /** Reads rows without the adapter. */
  readonly db: RowReader
  /** Returns the number of stored users, accounts and sessions. */
  countRows(): Promise<RowCounts>
  /** Deletes all rows. */
  deleteRows(): Promise<void>
}

export type RowCounts = readonly [users: number, accounts: number, sessions: number]

export interface AdapterSetup {
  /** The name of the package. */
  readonly adapter: string
  readonly database: string
  /** Whether it is tested on PGlite where no PostgreSQL server is available. */
  readonly onAnyPostgres?: true
  /** Opens a database with the documented tables of the adapter; `amended` adds missing indexes. */
  openDatabase(options?: { amended: boolean }): Promise<OpenDatabase>
  /** Cases of the conformance suite that the adapter fails, and what happens instead. */
  readonly knownFailures: Readonly<Record<string, string>>
  /** Whether only the known failures of the suite are run: others only concern what it returns besides. */
  readonly knownFailuresOnly?: true
  /** Whether its `deleteUser` fails for a user without a stored session. */
  readonly deletesOnlyWithSession?: true
  /** Statements after which it passes all cases. */
  readonly schemaFixes?: readonly string[]
}
