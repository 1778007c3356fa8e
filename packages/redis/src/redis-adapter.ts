import type { Adapter } from "@latchkey/core/adapters"
import { type RedisClient, toScriptCommands } from "./client/clients.ts"
import { createConnection } from "./client/connection.ts"
import { createAccountMethods } from "./entities/accounts.ts"
import { createAttemptMethods } from "./entities/attempts.ts"
import { createAuthenticatorMethods } from "./entities/authenticators.ts"
import { createSignUpMethods } from "./entities/create-user-with-account.ts"
import { createDeleteUserMethods } from "./entities/delete-user.ts"
import { createFactorMethods } from "./entities/factors.ts"
import { createLeaseMethods } from "./entities/leases.ts"
import { createSessionRecordMethods } from "./entities/session-record-methods.ts"
import { createUserMethods } from "./entities/users.ts"
import { createVerificationTokenMethods } from "./entities/verification-tokens.ts"
import { createSingleSlotKeys } from "./keys.ts"
import { type RedisAdapterOptions, resolveOptions } from "./options.ts"
import { createSingleSlotSessionMethods } from "./sessions/single-slot-sessions.ts"
import type { Store } from "./store.ts"

/**
 * Stores users, accounts, sessions with their records and changes, e-mail tokens, passkeys, second factors, leases and
 * counted attempts in Redis. It has every method of an adapter except `deleteExpired`, because Redis removes expired keys by itself.
 * Failed methods reject with a `RedisError`.
 *
 * ```ts
 * const client = createClient({ disableOfflineQueue: true })
 * client.on("error", console.error)
 * await client.connect()
 * const auth = createAuth({ adapter: RedisAdapter(client), providers })
 * ```
 *
 * All keys are in one slot of a cluster. If you have more sessions than one node can hold, use `RedisSessions`.
 *
 * @param client of `redis` or `ioredis`, which the application opens and closes
 * @throws TypeError if the client or an option cannot be used
 */
export function RedisAdapter(
  client: RedisClient,
  options: RedisAdapterOptions = {},
): Required<Omit<Adapter, "deleteExpired" | "watchSessionChanges">> &
  Pick<Adapter, "watchSessionChanges"> & { readonly comparesKeysExactly: true } {
  const { keepExpired, prefix, timeout, userFields } = resolveOptions(options)
  const connection = createConnection(toScriptCommands(client), timeout)
  const store: Store = { connection, keepExpired, keys: createSingleSlotKeys(prefix), userFields }
  const records = createSessionRecordMethods({ ...store, client, timeout })
  return {
    ...createUserMethods(store),
    ...createDeleteUserMethods(store, records),
    ...createAccountMethods(store),
    ...createSignUpMethods(store),
    ...createSingleSlotSessionMethods(store),
    ...createVerificationTokenMethods(connection, store.keys, keepExpired),
    ...createAuthenticatorMethods(store),
    ...createFactorMethods(store),
    ...createLeaseMethods(connection, store.keys),
    ...createAttemptMethods(connection, store.keys),
    ...records,
    comparesKeysExactly: true,
  }
}
