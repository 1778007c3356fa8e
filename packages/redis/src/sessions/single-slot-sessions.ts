/** Sessions in the same slot as their users: one script reads or writes both. */
import type { SessionMethods } from "@latchkey/adapter-kit"
import { toTextOrNull } from "../client/connection.ts"
import { assertDone, changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import { userFromText } from "../entities/user-record.ts"
import type { Store } from "../store.ts"
import { createSingleSlotDeleteSessions } from "./delete-sessions.ts"
import { addToIndexLua } from "./expiring-index.ts"
import { computeLifetime, computeRemovalThreshold } from "./record-lifetime.ts"
import { createSessionIndexMethods } from "./session-index.ts"
import {
  parseSession,
  parseSessionChanges,
  sessionFromText,
  sessionToText,
  toSessionToken,
} from "./session-record.ts"

/** Owners of recent sessions by token, used to guess the right key at the first attempt. */
type TokenOwners = Map<string, string>

const maxTokenOwners = 1000

export function createSingleSlotSessionMethods(store: Store): SessionMethods {
  const owners: TokenOwners = new Map()
  return {
    ...createSessionIndexMethods(store),
    ...createSingleSlotDeleteSessions(store),
    createSession: buildCreateSession(store),
    getSessionAndUser: buildGetSessionAndUser(store, owners),
    updateSession: buildUpdateSession(store, owners),
  }
}

const createSessionScript = createScript(`${addToIndexLua}
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then return "unknown-user" end
if not redis.call("SET", KEYS[2], ARGV[2], "NX", "PX", ARGV[3]) then return "duplicate" end
addToIndex(KEYS[3], ARGV[4], ARGV[5], ARGV[3], ARGV[6])
return "done"`)

function buildCreateSession(store: Store): SessionMethods["createSession"] {
  const { connection, keys, keepExpired } = store
  return async (newSession) => {
    const session = parseSession(newSession)
    const { sessionToken, userId, expires } = session
    const reply = await connection.run(
      "createSession",
      createSessionScript,
      [keys.users, keys.session(sessionToken), keys.sessionsOf(userId)],
      [
        userId,
        sessionToText(session),
        computeLifetime(expires, keepExpired),
        sessionToken,
        String(expires.getTime()),
        computeRemovalThreshold(keepExpired),
      ],
    )
    assertDone("createSession", reply)
    return session
  }
}

const getSessionAndUserScript = createScript(`
local session = redis.call("GET", KEYS[2])
if not session then return false end
return {session, redis.call("HGET", KEYS[1], string.match(session, " (.*)$"))}`)

/** Every request runs this: one command. */
function buildGetSessionAndUser(
  store: Store,
  owners: TokenOwners,
): SessionMethods["getSessionAndUser"] {
  const { connection, keys, userFields } = store
  return async (value) => {
    const token = toSessionToken(value)
    if (token === null) return null
    const index = [keys.users, keys.session(token)]
    const reply = await connection.run("getSessionAndUser", getSessionAndUserScript, index)
    const [record, user] = Array.isArray(reply) ? reply.map(toTextOrNull) : []
    if (typeof record !== "string" || typeof user !== "string") return null
    const session = sessionFromText(token, record)
    rememberOwner(owners, token, session.userId)
    return { session, user: userFromText(userFields, user) }
  }
}

function rememberOwner(owners: TokenOwners, token: string, userId: string): void {
  owners.set(token, userId)
  const [oldest] = owners.size > maxTokenOwners ? owners.keys() : []
  if (oldest !== undefined) owners.delete(oldest)
}

/**
 * The set that contains the token depends on the owner, whom only the session knows. If the guessed owner is wrong, the
 * script returns the right one.
 */
const updateSessionScript = createScript(`${addToIndexLua}
local session = redis.call("GET", KEYS[1])
if not session then return false end
local expires, owner = string.match(session, "^(.-) (.*)$")
if owner ~= ARGV[2] then return {owner} end
local lifetime = ARGV[5]
if ARGV[4] ~= "" then expires = ARGV[4] else lifetime = redis.call("PTTL", KEYS[1]) end
session = expires .. " " .. ARGV[3]
redis.call("SET", KEYS[1], session, "PX", lifetime)
if KEYS[2] ~= KEYS[3] then redis.call("ZREM", KEYS[2], ARGV[1]) end
addToIndex(KEYS[3], ARGV[1], expires, lifetime, ARGV[6])
return session`)

function buildUpdateSession(store: Store, owners: TokenOwners): SessionMethods["updateSession"] {
  const { connection, keys, keepExpired } = store
  return async (changedSession) => {
    const token = toSessionToken(changedSession.sessionToken)
    if (token === null) return null
    const { userId, expires } = parseSessionChanges(changedSession)
    let owner = owners.get(token) ?? ""
    return retryWhileChanged("updateSession", async () => {
      const next = userId ?? owner
      const reply = await connection.run(
        "updateSession",
        updateSessionScript,
        [keys.session(token), keys.sessionsOf(owner), keys.sessionsOf(next)],
        [
          token,
          owner,
          next,
          expires ? String(expires.getTime()) : "",
          expires ? computeLifetime(expires, keepExpired) : "",
          computeRemovalThreshold(keepExpired),
        ],
      )
      if (typeof reply === "string") return sessionFromText(token, reply)
      if (!Array.isArray(reply)) return null
      owner = String(reply[0])
      return changedReply
    })
  }
}
