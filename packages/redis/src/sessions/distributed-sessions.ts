/**
 * Sessions on any node of a cluster, beside another adapter that stores the users. Each script uses one key. The steps
 * are ordered so that a session whose token somebody has is always in the set of its user.
 */
import type { SessionMethods } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { toTextOrNull } from "../client/connection.ts"
import { changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import { createDistributedDeleteSessions } from "./delete-sessions.ts"
import { addMember, removeMember } from "./expiring-index.ts"
import { computeLifetime } from "./record-lifetime.ts"
import { createSessionIndexMethods, type SessionIndex } from "./session-index.ts"
import {
  parseSession,
  parseSessionChanges,
  sessionFromText,
  sessionToText,
  toSessionToken,
} from "./session-record.ts"

/** The dependencies of the methods. */
export interface DistributedSessionStore extends SessionIndex {
  readonly keepExpired: number
  readonly getUser: NonNullable<Adapter["getUser"]>
}

export function createDistributedSessionMethods(store: DistributedSessionStore): SessionMethods {
  return {
    ...createSessionIndexMethods(store),
    ...createDistributedDeleteSessions(store),
    createSession: buildCreateSession(store),
    getSessionAndUser: buildGetSessionAndUser(store),
    updateSession: buildUpdateSession(store),
  }
}

const readSessionScript = createScript(`return redis.call("GET", KEYS[1])`)

/** Every request runs this: one command, and one read from the other adapter. */
function buildGetSessionAndUser({
  connection,
  keys,
  getUser,
}: DistributedSessionStore): SessionMethods["getSessionAndUser"] {
  return async (value) => {
    const token = toSessionToken(value)
    if (token === null) return null
    const reply = await connection.run("getSessionAndUser", readSessionScript, [
      keys.session(token),
    ])
    const record = toTextOrNull(reply)
    if (record === null) return null
    const session = sessionFromText(token, record)
    const user = await getUser(session.userId)
    return user && { session, user }
  }
}

const createSessionScript = createScript(`
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return "done" end
return redis.call("GET", KEYS[1])`)

/**
 * Stores the session, then adds it to the set: whoever ends all sessions in between has ended those before this one.
 * The token is not handed out until both steps are done.
 */
function buildCreateSession(store: DistributedSessionStore): SessionMethods["createSession"] {
  const { connection, keys, keepExpired } = store
  return async (newSession) => {
    const session = parseSession(newSession)
    const record = sessionToText(session)
    const index = [keys.session(session.sessionToken)]
    const values = [record, computeLifetime(session.expires, keepExpired)]
    const reply = await connection.run("createSession", createSessionScript, index, values)
    const isNew = reply === "done"
    // If the session already exists unchanged, an earlier attempt was interrupted here.
    if (isNew || reply === record) await addToIndex(store, "createSession", session)
    if (!isNew) throw new RedisError("duplicate", { operation: "createSession" })
    return session
  }
}

async function addToIndex(
  store: DistributedSessionStore,
  operation: string,
  { sessionToken, userId, expires }: ReturnType<typeof parseSession>,
): Promise<void> {
  const index = store.keys.sessionsOf(userId)
  await addMember(store, operation, index, { member: sessionToken, expires })
}

const replaceSessionScript = createScript(`
local session = redis.call("GET", KEYS[1])
if not session then return false end
if session ~= ARGV[1] then return "changed" end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return "done"`)

/** Updates the set first: it may list a session longer than it lives, but never shorter. */
function buildUpdateSession(store: DistributedSessionStore): SessionMethods["updateSession"] {
  const operation = "updateSession"
  const { connection, keys, keepExpired } = store
  return async (changedSession) => {
    const token = toSessionToken(changedSession.sessionToken)
    if (token === null) return null
    const changes = parseSessionChanges(changedSession)
    const index = [keys.session(token)]
    return retryWhileChanged(operation, async () => {
      const before = toTextOrNull(await connection.run(operation, readSessionScript, index))
      if (before === null) return null
      const old = sessionFromText(token, before)
      const next = { ...old, ...changes }
      await addToIndex(store, operation, next)
      const values = [before, sessionToText(next), computeLifetime(next.expires, keepExpired)]
      const reply = await connection.run(operation, replaceSessionScript, index, values)
      if (reply === changedReply) return changedReply
      if (reply === null) return null
      if (old.userId !== next.userId) {
        await removeMember(connection, operation, keys.sessionsOf(old.userId), token)
      }
      return next
    })
  }
}
