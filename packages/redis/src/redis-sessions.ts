import type { Adapter } from "@latchkey/core/adapters"
import { commandsOf, type RedisClient } from "./client/clients.ts"
import { type Connection, connectionOf } from "./client/connection.ts"
import { script } from "./client/script.ts"
import { leases } from "./entities/leases.ts"
import { verificationTokens } from "./entities/verification-tokens.ts"
import { keysApart, type SessionKeys } from "./keys.ts"
import { type RedisOptions, resolveOptions } from "./options.ts"
import { sessionsApart } from "./sessions/sessions-apart.ts"

/** The adapter that has the users. */
export type UserStore = Required<Pick<Adapter, "getUser">> & Pick<Adapter, "deleteUser">

/** Options of `RedisSessions`. */
export interface RedisSessionsOptions extends RedisOptions {
  /** The adapter that has the users: every session check asks it for the session's. */
  readonly users: UserStore
}

/** The methods that `RedisSessions` takes over from the other adapter. */
export type RedisSessionsAdapter = Required<
  Pick<
    Adapter,
    | "acquireLease"
    | "createSession"
    | "createVerificationToken"
    | "deleteSession"
    | "deleteSessions"
    | "getSessionAndUser"
    | "listSessions"
    | "releaseLease"
    | "settleLease"
    | "updateSession"
    | "useVerificationToken"
  >
> &
  Pick<Adapter, "deleteUser">

/**
 * Keeps sessions, e-mail tokens and leases in Redis, beside another adapter for everything else. In a cluster they
 * spread over all nodes.
 *
 * ```ts
 * const users = SqlAdapter(database)
 * const adapter = { ...users, ...RedisSessions(client, { users }) }
 * ```
 *
 * Where the other adapter has `deleteUser`, this one's calls it, and then ends the sessions.
 *
 * @param client of `redis` or `ioredis`, that the application opens and closes
 * @throws TypeError when the client or an option cannot be used
 */
export function RedisSessions(
  client: RedisClient,
  options: RedisSessionsOptions,
): RedisSessionsAdapter {
  const { users, ...rest } = options
  if (typeof users?.getUser !== "function") {
    throw new TypeError("`users` must be the adapter that has the users.")
  }
  const { keepExpired, prefix, timeout } = resolveOptions(rest, [
    "keepExpired",
    "prefix",
    "timeout",
  ])
  const connection = connectionOf(commandsOf(client), timeout)
  const keys = keysApart(prefix)
  const getUser = (id: string): ReturnType<typeof users.getUser> => users.getUser(id)
  const sessions = sessionsApart({ connection, keys, keepExpired, getUser })
  return {
    ...sessions,
    ...verificationTokens(connection, keys, keepExpired),
    ...leases(connection, keys),
    ...(users.deleteUser ? deletion(users, sessions, connection, keys) : {}),
  }
}

const remove = script(`redis.call("DEL", KEYS[1]) return "done"`)

/** The user first: without them, what is here is nobody's. */
function deletion(
  users: UserStore,
  sessions: Pick<RedisSessionsAdapter, "deleteSessions">,
  connection: Connection,
  keys: SessionKeys,
): Pick<RedisSessionsAdapter, "deleteUser"> {
  return {
    async deleteUser(id) {
      const user = await users.getUser(id)
      const answer = await users.deleteUser?.(id)
      await sessions.deleteSessions(id)
      if (user?.email) await connection.run("deleteUser", remove, [keys.tokensOf(user.email)])
      return answer ?? user
    },
  }
}
