/** Sessions in the same slot as their users: what belongs together is read and written by one script. */
import type { Adapter } from "@latchkey/core/adapters"
import { assertDone, changed, changing } from "../client/changing.ts"
import { textOrNull } from "../client/connection.ts"
import { script } from "../client/script.ts"
import { userFromText } from "../entities/user-record.ts"
import type { Store } from "../store.ts"
import { endingTogether } from "./ending-all.ts"
import { indexedSessions } from "./index-of-user.ts"
import { forgotten, lifetime, note } from "./lifetime.ts"
import {
  changesOf,
  sessionFromText,
  sessionToText,
  tokenOf,
  wholeSession,
} from "./session-record.ts"

type SessionMethods = Required<
  Pick<
    Adapter,
    | "createSession"
    | "deleteSession"
    | "deleteSessions"
    | "getSessionAndUser"
    | "listSessions"
    | "updateSession"
  >
>

/** Whose sessions the last tokens were that were seen: only to find the right key at the first attempt. */
type Owners = Map<string, string>

/** How many tokens that is. */
const mostOwners = 1000

/** The methods for sessions. */
export function sessionsTogether(store: Store): SessionMethods {
  const owners: Owners = new Map()
  return {
    ...indexedSessions(store),
    ...endingTogether(store),
    createSession: creation(store),
    getSessionAndUser: sessionCheck(store, owners),
    updateSession: updates(store, owners),
  }
}

const create = script(`${note}
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then return "unknown-user" end
if not redis.call("SET", KEYS[2], ARGV[2], "NX", "PX", ARGV[3]) then return "duplicate" end
note(KEYS[3], ARGV[4], ARGV[5], ARGV[3], ARGV[6])
return "done"`)

function creation(store: Store): SessionMethods["createSession"] {
  const { connection, keys, keepExpired } = store
  return async (given) => {
    const session = wholeSession(given)
    const { sessionToken, userId, expires } = session
    const reply = await connection.run(
      "createSession",
      create,
      [keys.users, keys.session(sessionToken), keys.sessionsOf(userId)],
      [
        userId,
        sessionToText(session),
        lifetime(expires, keepExpired),
        sessionToken,
        String(expires.getTime()),
        forgotten(keepExpired),
      ],
    )
    assertDone("createSession", reply)
    return session
  }
}

const check = script(`
local session = redis.call("GET", KEYS[2])
if not session then return false end
return {session, redis.call("HGET", KEYS[1], string.match(session, " (.*)$"))}`)

/** The check of every request: one command. */
function sessionCheck(store: Store, owners: Owners): SessionMethods["getSessionAndUser"] {
  const { connection, keys, userFields } = store
  return async (value) => {
    const token = tokenOf(value)
    if (token === null) return null
    const index = [keys.users, keys.session(token)]
    const reply = await connection.run("getSessionAndUser", check, index)
    const [record, user] = Array.isArray(reply) ? reply.map(textOrNull) : []
    if (typeof record !== "string" || typeof user !== "string") return null
    const session = sessionFromText(token, record)
    remember(owners, token, session.userId)
    return { session, user: userFromText(userFields, user) }
  }
}

function remember(owners: Owners, token: string, userId: string): void {
  owners.set(token, userId)
  const [oldest] = owners.size > mostOwners ? owners.keys() : []
  if (oldest !== undefined) owners.delete(oldest)
}

/** Which set the token is in depends on the owner, whom only the session knows: a wrong guess is answered by the name. */
const update = script(`${note}
local session = redis.call("GET", KEYS[1])
if not session then return false end
local expires, owner = string.match(session, "^(.-) (.*)$")
if owner ~= ARGV[2] then return {owner} end
local lifetime = ARGV[5]
if ARGV[4] ~= "" then expires = ARGV[4] else lifetime = redis.call("PTTL", KEYS[1]) end
session = expires .. " " .. ARGV[3]
redis.call("SET", KEYS[1], session, "PX", lifetime)
if KEYS[2] ~= KEYS[3] then redis.call("ZREM", KEYS[2], ARGV[1]) end
note(KEYS[3], ARGV[1], expires, lifetime, ARGV[6])
return session`)

function updates(store: Store, owners: Owners): SessionMethods["updateSession"] {
  const { connection, keys, keepExpired } = store
  return async (given) => {
    const token = tokenOf(given.sessionToken)
    if (token === null) return null
    const { userId, expires } = changesOf(given)
    let owner = owners.get(token) ?? ""
    return changing("updateSession", async () => {
      const next = userId ?? owner
      const reply = await connection.run(
        "updateSession",
        update,
        [keys.session(token), keys.sessionsOf(owner), keys.sessionsOf(next)],
        [
          token,
          owner,
          next,
          expires ? String(expires.getTime()) : "",
          expires ? lifetime(expires, keepExpired) : "",
          forgotten(keepExpired),
        ],
      )
      if (typeof reply === "string") return sessionFromText(token, reply)
      if (!Array.isArray(reply)) return null
      owner = String(reply[0])
      return changed
    })
  }
}
