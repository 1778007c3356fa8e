import type { FactorMethods, SessionRecordMethods } from "@latchkey/adapter-kit"
import type { Adapter, FactorStore, SessionRecordStore } from "@latchkey/core/adapters"
import type { Engine } from "./engine.ts"
import { openEngine, type SqlDatabase } from "./engines/open-engine.ts"
import { createAccountMethods } from "./entities/accounts.ts"
import { createAttemptMethods } from "./entities/attempts.ts"
import { createAuthenticatorMethods } from "./entities/authenticators.ts"
import { createSignUpMethods } from "./entities/create-user-with-account.ts"
import {
  createExpiredRowMethods,
  createSweep,
  createSweepByCount,
} from "./entities/delete-expired.ts"
import { createDeleteUserMethods } from "./entities/delete-user.ts"
import { createLazyMethods } from "./entities/lazy-methods.ts"
import { createLazySessionRecords } from "./entities/lazy-session-records.ts"
import { createLeaseMethods } from "./entities/leases.ts"
import { createSessionListMethods } from "./entities/session-lists.ts"
import { createSessionMethods } from "./entities/sessions.ts"
import { createUserMethods } from "./entities/users.ts"
import { createVerificationTokenMethods } from "./entities/verification-tokens.ts"
import { findLooseColumns, warnAboutLooseColumns } from "./loose-columns.ts"
import { type MaintenanceCommands, maintenanceSymbol } from "./maintenance.ts"
import { createMigrationScript } from "./migrations/migration-script.ts"
import { runMigrations } from "./migrations/run-migrations.ts"
import { type ResolvedOptions, resolveOptions, type SqlAdapterOptions } from "./options.ts"
import { createStore } from "./store.ts"

/**
 * All methods of an adapter, and the commands for `latchkey migrate`. It has those of session records with the option
 * `sessionRecords`, and those of second factors with `secondFactor`.
 */
export interface SqlAdapter
  extends Required<Omit<Adapter, keyof SessionRecordStore | keyof FactorStore>>,
    Partial<SessionRecordStore>,
    Partial<FactorStore> {
  readonly comparesKeysExactly: true
  readonly [maintenanceSymbol]: MaintenanceCommands
}

/**
 * Stores users, accounts, sessions, e-mail tokens, passkeys, leases and counted attempts in an SQL database. It has
 * every method of an adapter, so that any configuration works; those of session records only with `sessionRecords`, and
 * those of second factors only with `secondFactor`.
 * Failed methods reject with an `SqlError`.
 *
 * ```ts
 * const database = new Pool({ connectionString: process.env.DATABASE_URL })
 * const auth = createAuth({ adapter: SqlAdapter(database, { migrate: true }), providers })
 * ```
 *
 * @param database an open connection or a pool, which the application closes: a `DatabaseSync` of `node:sqlite`, a
 *   `better-sqlite3` or `libsql` database, a `Pool` or `Client` of `pg`, a `PGlite`, a pool of `mysql2`, or a Kysely
 *   instance
 * @throws TypeError if the database or an option cannot be used
 */
export function SqlAdapter(
  database: SqlDatabase,
  options: SqlAdapterOptions & { readonly sessionRecords: true },
): SqlAdapter & SessionRecordMethods
export function SqlAdapter(database: SqlDatabase, options?: SqlAdapterOptions): SqlAdapter
export function SqlAdapter(database: SqlDatabase, options: SqlAdapterOptions = {}): SqlAdapter {
  const resolved = resolveOptions(options)
  const engine = openEngine(database, resolved)
  const checkColumns = () => void warnAboutLooseColumns(createStore(engine, resolved))
  return createSqlAdapter(engine, resolved, checkColumns)
}

const factorMethodNames = [
  "createFactor",
  "listFactors",
  "updateFactor",
  "deleteFactor",
] as const satisfies readonly (keyof FactorMethods)[]

/** Creates the adapter on any engine. @param onFirstSuccess called once, after the first statement */
export function createSqlAdapter(
  engine: Engine,
  options: ResolvedOptions,
  onFirstSuccess?: () => void,
): SqlAdapter {
  const { adopt, notify, secondFactor, sessionRecords, sweepInterval } = options
  if (notify && !engine.listen) throw new TypeError("`notify` needs a `Pool` of `pg`.")
  const unmigratedStore = createStore(engine, options)
  const prepare = () => runMigrations(unmigratedStore, { adopt, dryRun: false })
  const store = createStore(engine, options, options.migrate ? prepare : undefined, onFirstSuccess)
  const expiredRowMethods = createExpiredRowMethods(store)
  const sweep = createSweep(expiredRowMethods, sweepInterval)
  return {
    ...createUserMethods(store),
    ...createDeleteUserMethods(store),
    ...createAccountMethods(store),
    ...createSignUpMethods(store),
    ...createSessionMethods(store, sweep),
    ...createSessionListMethods(store),
    ...expiredRowMethods,
    ...createVerificationTokenMethods(store, sweep),
    ...createAuthenticatorMethods(store),
    ...createLeaseMethods(store, createSweepByCount(store, "LatchkeyLease", sweepInterval)),
    ...createAttemptMethods(store, createSweepByCount(store, "LatchkeyAttempt", sweepInterval)),
    ...(sessionRecords &&
      createLazySessionRecords(store, sweep, notify ? engine.listen : undefined)),
    ...(secondFactor &&
      createLazyMethods<FactorMethods>(factorMethodNames, async () =>
        (await import("./entities/factors.ts")).createFactorMethods(store),
      )),
    comparesKeysExactly: true,
    [maintenanceSymbol]: {
      migrate: (options) => runMigrations(unmigratedStore, { adopt, ...options }),
      sql: () => createMigrationScript(unmigratedStore),
      findLooseColumns: () => findLooseColumns(unmigratedStore),
      // Only `latchkey doctor` asks.
      findReusedIds: async () => (await import("./reused-ids.ts")).findReusedIds(unmigratedStore),
    },
  }
}
