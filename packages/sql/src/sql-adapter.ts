import type { Adapter } from "@latchkey/core/adapters"
import type { Engine } from "./engine.ts"
import { openEngine, type SqlDatabase } from "./engines/open.ts"
import { accounts } from "./entities/accounts.ts"
import { authenticators } from "./entities/authenticators.ts"
import { deletion } from "./entities/deletion.ts"
import { expired, sweeping, sweepingLeases } from "./entities/expired.ts"
import { leases } from "./entities/leases.ts"
import { sessionLists } from "./entities/session-lists.ts"
import { sessions } from "./entities/sessions.ts"
import { signUps } from "./entities/sign-ups.ts"
import { users } from "./entities/users.ts"
import { verificationTokens } from "./entities/verification-tokens.ts"
import { type Maintenance, maintenance } from "./maintenance.ts"
import { runMigrations } from "./migrations/run.ts"
import { scriptOf } from "./migrations/script.ts"
import { type ResolvedOptions, resolveOptions, type SqlAdapterOptions } from "./options.ts"
import { createStore } from "./store.ts"

/** Every method of the contract, and what `latchkey migrate` needs. */
export interface SqlAdapter extends Required<Adapter> {
  readonly [maintenance]: Maintenance
}

/**
 * Keeps users, accounts, sessions, e-mail tokens, passkeys and leases in an SQL database. Every method of the
 * contract is there, so that any configuration works. What fails rejects with an `SqlError`.
 *
 * ```ts
 * const database = new Pool({ connectionString: process.env.DATABASE_URL })
 * const auth = createAuth({ adapter: SqlAdapter(database, { migrate: true }), providers })
 * ```
 *
 * @param database an open connection or a pool, that the application closes: a `DatabaseSync` of `node:sqlite`, a
 * `better-sqlite3` or `libsql` database, a `Pool` or `Client` of `pg`, a `PGlite`, a pool of `mysql2`, or a Kysely
 * instance
 * @throws TypeError when the database or an option cannot be used
 */
export function SqlAdapter(database: SqlDatabase, options: SqlAdapterOptions = {}): SqlAdapter {
  const resolved = resolveOptions(options)
  return adapterOn(openEngine(database, resolved), resolved)
}

/** The adapter on any engine. */
export function adapterOn(engine: Engine, options: ResolvedOptions): SqlAdapter {
  const { adopt } = options
  const bare = createStore(engine, options)
  const prepare = () => runMigrations(bare, { adopt, dryRun: false })
  const store = options.migrate ? createStore(engine, options, prepare) : bare
  const removal = expired(store)
  const sweep = sweeping(removal, options.sweepInterval)
  return {
    ...users(store),
    ...deletion(store),
    ...accounts(store),
    ...signUps(store),
    ...sessions(store, sweep),
    ...sessionLists(store),
    ...removal,
    ...verificationTokens(store, sweep),
    ...authenticators(store),
    ...leases(store, sweepingLeases(store, options.sweepInterval)),
    [maintenance]: {
      migrate: ({ dryRun }) => runMigrations(bare, { adopt, dryRun }),
      sql: () => scriptOf(bare),
    },
  }
}
