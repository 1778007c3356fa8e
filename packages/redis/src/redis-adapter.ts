import type { Adapter } from "@latchkey/core/adapters"
import { commandsOf, type RedisClient } from "./client/clients.ts"
import { connectionOf } from "./client/connection.ts"
import { accounts } from "./entities/accounts.ts"
import { authenticators } from "./entities/authenticators.ts"
import { deletion } from "./entities/deletion.ts"
import { leases } from "./entities/leases.ts"
import { signUps } from "./entities/sign-ups.ts"
import { users } from "./entities/users.ts"
import { verificationTokens } from "./entities/verification-tokens.ts"
import { keysTogether } from "./keys.ts"
import { type RedisAdapterOptions, resolveOptions } from "./options.ts"
import { sessionsTogether } from "./sessions/sessions-together.ts"
import type { Store } from "./store.ts"

/**
 * Keeps users, accounts, sessions, e-mail tokens, passkeys and leases in Redis. Every method of the contract is there but
 * `deleteExpired`, because Redis removes what has expired by itself. What fails rejects with a `RedisError`.
 *
 * ```ts
 * const client = createClient({ disableOfflineQueue: true })
 * client.on("error", console.error)
 * await client.connect()
 * const auth = createAuth({ adapter: RedisAdapter(client), providers })
 * ```
 *
 * All keys are in one slot of a cluster. For more sessions than one node can hold, there is `RedisSessions`.
 *
 * @param client of `redis` or `ioredis`, that the application opens and closes
 * @throws TypeError when the client or an option cannot be used
 */
export function RedisAdapter(
  client: RedisClient,
  options: RedisAdapterOptions = {},
): Required<Omit<Adapter, "deleteExpired">> {
  const { keepExpired, prefix, timeout, userFields } = resolveOptions(options)
  const connection = connectionOf(commandsOf(client), timeout)
  const store: Store = { connection, keepExpired, keys: keysTogether(prefix), userFields }
  return {
    ...users(store),
    ...deletion(store),
    ...accounts(store),
    ...signUps(store),
    ...sessionsTogether(store),
    ...verificationTokens(connection, store.keys, keepExpired),
    ...authenticators(store),
    ...leases(connection, store.keys),
  }
}
