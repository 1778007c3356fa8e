import type {
  Adapter,
  AttemptStore,
  FactorStore,
  SessionRecordStore,
} from "@latchkey/core/adapters"
import type { MikroORM } from "@mikro-orm/core"
import { findEntities, hasEntities, hasSessionRecordEntities } from "./entities/define-entities.ts"
import { createAccountMethods } from "./methods/accounts.ts"
import { createAuthenticatorMethods } from "./methods/authenticators.ts"
import { createExpiredRowMethods } from "./methods/delete-expired.ts"
import { createFactorMethods } from "./methods/factors.ts"
import { createLeaseMethods } from "./methods/leases.ts"
import { createSessionChangeMethods } from "./methods/session-changes.ts"
import { createSessionRecordMethods } from "./methods/session-records.ts"
import { createSessionMethods } from "./methods/sessions.ts"
import { createUserMethods } from "./methods/users.ts"
import { createVerificationTokenMethods } from "./methods/verification-tokens.ts"
import { createStore } from "./store.ts"

/**
 * Stores users, accounts, sessions, e-mail tokens, passkeys and leases with MikroORM, in the entities that you define
 * with `defineEntities` and pass to `MikroORM.init`. Each call of a method uses an EntityManager of its own.
 *
 * It has the methods for records and changes of sessions, and those for second factors, if MikroORM has their entities: see
 * `EntityOptions`.
 *
 * Methods reject with a `MikroOrmError`, or with a `TypeError` if a value cannot be stored unchanged.
 *
 * @throws TypeError unless MikroORM has the entities of exactly one call of `defineEntities`
 *
 * @example
 * const orm = await MikroORM.init({ entities: Object.values(defineEntities()), dbName: "app" })
 * const adapter = MikroOrmAdapter(orm)
 */
export function MikroOrmAdapter(orm: MikroORM): Required<
  Omit<Adapter, keyof (AttemptStore & FactorStore & SessionRecordStore)>
> &
  Partial<Omit<SessionRecordStore, "watchSessionChanges">> &
  Partial<FactorStore> & {
    readonly comparesKeysExactly: true
  } {
  const store = createStore(orm, findEntities(orm))
  return {
    ...createUserMethods(store),
    ...createAccountMethods(store),
    ...createSessionMethods(store),
    ...createVerificationTokenMethods(store),
    ...createAuthenticatorMethods(store),
    ...createLeaseMethods(store),
    ...createExpiredRowMethods(store),
    ...(hasSessionRecordEntities(store) && {
      ...createSessionRecordMethods(store),
      ...createSessionChangeMethods(store),
    }),
    ...(hasEntities(store, "LatchkeyFactor") && createFactorMethods(store)),
    comparesKeysExactly: true,
  }
}
