import type { Adapter } from "@latchkey/core/adapters"
import type { MikroORM } from "@mikro-orm/core"
import { entitiesIn } from "./entities/define.ts"
import { accounts } from "./methods/accounts.ts"
import { authenticators } from "./methods/authenticators.ts"
import { leases } from "./methods/leases.ts"
import { sessions } from "./methods/sessions.ts"
import { sweeping } from "./methods/sweeping.ts"
import { users } from "./methods/users.ts"
import { verificationTokens } from "./methods/verification-tokens.ts"
import { createStore } from "./store.ts"

/**
 * Keeps users, accounts, sessions, tokens of e-mail links, passkeys and leases in a database of MikroORM's, in the
 * entities that `defineEntities` made and `MikroORM.init` was given. Each call of a method works in an EntityManager of its own.
 *
 * Methods reject with a `MikroOrmError`, and with a `TypeError` when a value cannot be stored as it is.
 *
 * @throws TypeError when MikroORM does not know the entities, or several of each
 *
 * @example
 * const orm = await MikroORM.init({ entities: Object.values(defineEntities()), dbName: "app" })
 * const adapter = MikroOrmAdapter(orm)
 */
export function MikroOrmAdapter(orm: MikroORM): Required<Adapter> {
  const store = createStore(orm, entitiesIn(orm))
  return {
    ...users(store),
    ...accounts(store),
    ...sessions(store),
    ...verificationTokens(store),
    ...authenticators(store),
    ...leases(store),
    ...sweeping(store),
  }
}
