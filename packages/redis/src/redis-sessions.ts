import type { SessionMethods, VerificationTokenMethods } from "@latchkey/adapter-kit"
import type { Adapter, AttemptStore, LeaseStore, SessionRecordStore } from "@latchkey/core/adapters"
import { type RedisClient, toScriptCommands } from "./client/clients.ts"
import { type Connection, createConnection } from "./client/connection.ts"
import { createScript } from "./client/script.ts"
import { createAttemptMethods } from "./entities/attempts.ts"
import { createLeaseMethods } from "./entities/leases.ts"
import { createSessionRecordMethods, deleteRecordsOf } from "./entities/session-record-methods.ts"
import { createVerificationTokenMethods } from "./entities/verification-tokens.ts"
import { createDistributedKeys, type SessionKeys } from "./keys.ts"
import { type RedisOptions, resolveOptions } from "./options.ts"
import { createDistributedSessionMethods } from "./sessions/distributed-sessions.ts"

/** The adapter that stores the users. */
export type UserStore = Required<Pick<Adapter, "getUser">> & Pick<Adapter, "deleteUser">

/** Options of `RedisSessions`. */
export interface RedisSessionsOptions extends RedisOptions {
  /** The adapter that stores the users. Every session check reads the user from it. */
  readonly users: UserStore
}

/** The methods that replace those of the other adapter. */
export type RedisSessionsAdapter = SessionMethods &
  VerificationTokenMethods &
  LeaseStore &
  AttemptStore &
  SessionRecordStore &
  Pick<Adapter, "deleteUser">

/**
 * Stores sessions with their records and changes, e-mail tokens, leases and counted attempts in Redis, and leaves
 * everything else to another adapter. In a cluster they are distributed over all nodes, except changes, which are
 * together on one.
 *
 * ```ts
 * const users = SqlAdapter(database)
 * const adapter = { ...users, ...RedisSessions(client, { users }) }
 * ```
 *
 * If the other adapter has `deleteUser`, this one's calls it, and then ends the sessions and deletes their records.
 *
 * @param client of `redis` or `ioredis`, which the application opens and closes
 * @throws TypeError if the client or an option cannot be used
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
  const connection = createConnection(toScriptCommands(client), timeout)
  const keys = createDistributedKeys(prefix)
  const getUser = (id: string): ReturnType<typeof users.getUser> => users.getUser(id)
  const store = { connection, keys, keepExpired }
  const sessions = createDistributedSessionMethods({ ...store, getUser })
  const records = createSessionRecordMethods({ ...store, client, timeout })
  return {
    ...sessions,
    ...records,
    ...createVerificationTokenMethods(connection, keys, keepExpired),
    ...createLeaseMethods(connection, keys),
    ...createAttemptMethods(connection, keys),
    ...(users.deleteUser
      ? createDeleteUserMethods(users, { ...sessions, ...records }, connection, keys)
      : {}),
  }
}

const deleteTokensScript = createScript(`redis.call("DEL", KEYS[1]) return "done"`)

/** Creates the deletion of a user. It deletes the user first: sessions and tokens without their user are worthless. */
function createDeleteUserMethods(
  users: UserStore,
  sessions: Pick<RedisSessionsAdapter, "deleteSessions"> & SessionRecordStore,
  connection: Connection,
  keys: SessionKeys,
): Pick<RedisSessionsAdapter, "deleteUser"> {
  return {
    async deleteUser(id) {
      const user = await users.getUser(id)
      const deleted = await users.deleteUser?.(id)
      await sessions.deleteSessions(id)
      await deleteRecordsOf(sessions, id)
      if (user?.email)
        await connection.run("deleteUser", deleteTokensScript, [keys.tokensOf(user.email)])
      return deleted ?? user
    },
  }
}
