/** A database adapter of Auth.js, on a database that it is used with. */
import type { Adapter } from "@auth/core/adapters"
import type { RowReader } from "@latchkey/testing"

/** A database that is open. */
export interface OpenDatabase extends AsyncDisposable {
  readonly adapter: Adapter
  /** Reads rows behind the adapter's back. */
  readonly db: RowReader
  /** How many users, accounts and sessions are stored. */
  countRows(): Promise<RowCounts>
  /** Removes every row. */
  deleteRows(): Promise<void>
}

export type RowCounts = readonly [users: number, accounts: number, sessions: number]

export interface AdapterSetup {
  /** Name of the package. */
  readonly adapter: string
  readonly database: string
  /** It is tried on PGlite and on a server, where there is one. */
  readonly onEveryPostgres?: true
  /** With the tables of the adapter's documentation; `amended` adds what these lack. */
  openDatabase(options?: { amended: boolean }): Promise<OpenDatabase>
  /** Cases of our conformance suite that the adapter does not pass, and what happens instead. */
  readonly knownFailures: Readonly<Record<string, string>>
  /** Its `deleteUser` fails for a user without a stored session. */
  readonly deletesOnlyWithSession?: true
  /** Statements after which it passes all. */
  readonly schemaFixes?: readonly string[]
}
