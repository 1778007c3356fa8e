import type { Adapter } from "@latchkey/core/adapters"
import type { Engine } from "./engine.ts"
import { openEngine, type SqlDatabase } from "./engines/open.ts"
import { accounts } from "./entities/accounts.ts"
import { authenticators } from "./entities/authenticators.ts"
import { sessions } from "./entities/sessions.ts"
import { signUps } from "./entities/sign-ups.ts"
import { users } from "./entities/users.ts"
import { verificationTokens } from "./entities/verification-tokens.ts"
import { runMigrations } from "./migrations/run.ts"
import { type ResolvedOptions, resolveOptions, type SqlAdapterOptions } from "./options.ts"
import { createStore } from "./store.ts"

/**
 * Keeps users, accounts, sessions, e-mail tokens and passkeys in an SQL database. Every method of the
 * contract is there, so that any configuration works. What fails rejects with an `SqlError`.
 *
 * ```ts
 * const database = new DatabaseSync("app.db")
 * const auth = createAuth({ adapter: SqlAdapter(database, { migrate: true }), providers })
 * ```
 *
 * @param database an open connection, that the application closes
 * @throws TypeError when the database or an option cannot be used
 */
export function SqlAdapter(
  database: SqlDatabase,
  options: SqlAdapterOptions = {},
): Required<Adapter> {
  const resolved = resolveOptions(options)
  return adapterOn(openEngine(database, resolved), resolved)
}

/** The adapter on any engine. */
export function adapterOn(engine: Engine, options: ResolvedOptions): Required<Adapter> {
  const prepare = () => runMigrations(createStore(engine, options))
  const store = createStore(engine, options, options.migrate ? prepare : undefined)
  return {
    ...users(store),
    ...accounts(store),
    ...signUps(store),
    ...sessions(store),
    ...verificationTokens(store),
    ...authenticators(store),
  }
}
