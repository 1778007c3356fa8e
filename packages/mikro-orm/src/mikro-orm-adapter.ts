import type { Adapter } from "@latchkey/core/adapters"
import type { MikroORM } from "@mikro-orm/core"
import { findEntities } from "./entities/define-entities.ts"
import { createAccountMethods } from "./methods/accounts.ts"
import { createAuthenticatorMethods } from "./methods/authenticators.ts"
import { createExpiredRowMethods } from "./methods/delete-expired.ts"
import { createLeaseMethods } from "./methods/leases.ts"
import { createSessionMethods } from "./methods/sessions.ts"
import { createUserMethods } from "./methods/users.ts"
import { createVerificationTokenMethods } from "./methods/verification-tokens.ts"
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
  const store = createStore(orm, findEntities(orm))
  return {
    ...createUserMethods(store),
    ...createAccountMethods(store),
    ...createSessionMethods(store),
    ...createVerificationTokenMethods(store),
    ...createAuthenticatorMethods(store),
    ...createLeaseMethods(store),
    ...createExpiredRowMethods(store),
  }
}
