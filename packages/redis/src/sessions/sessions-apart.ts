/**
 * Sessions wherever a cluster likes them, beside another adapter that has the users. Each script touches one key; the
 * order of steps is such that a session that somebody holds is always in the set of its user.
 */
import type { Adapter } from "@latchkey/core/adapters"
import { changed, changing } from "../client/changing.ts"
import { textOrNull } from "../client/connection.ts"
import { script } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import { endingApart } from "./ending-all.ts"
import { dropToken, type Indexed, indexedSessions } from "./index-of-user.ts"
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

/** What the sessions need. */
export interface Apart extends Indexed {
  readonly keepExpired: number
  readonly getUser: NonNullable<Adapter["getUser"]>
}

/** The methods for sessions. */
export function sessionsApart(apart: Apart): SessionMethods {
  return {
    ...indexedSessions(apart),
    ...endingApart(apart),
    createSession: creation(apart),
    getSessionAndUser: sessionCheck(apart),
    updateSession: updates(apart),
  }
}

const find = script(`return redis.call("GET", KEYS[1])`)

/** The check of every request: one command here, one look-up there. */
function sessionCheck({ connection, keys, getUser }: Apart): SessionMethods["getSessionAndUser"] {
  return async (value) => {
    const token = tokenOf(value)
    if (token === null) return null
    const reply = await connection.run("getSessionAndUser", find, [keys.session(token)])
    const record = textOrNull(reply)
    if (record === null) return null
    const session = sessionFromText(token, record)
    const user = await getUser(session.userId)
    return user && { session, user }
  }
}

const create = script(`
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return "done" end
return redis.call("GET", KEYS[1])`)

/**
 * The session, then its place in the set: whoever ends all sessions in between has ended those before this one. Nobody
 * has the token until both are there.
 */
function creation(apart: Apart): SessionMethods["createSession"] {
  const { connection, keys, keepExpired } = apart
  return async (given) => {
    const session = wholeSession(given)
    const record = sessionToText(session)
    const index = [keys.session(session.sessionToken)]
    const values = [record, lifetime(session.expires, keepExpired)]
    const reply = await connection.run("createSession", create, index, values)
    const isNew = reply === "done"
    // The same session again: somebody was interrupted here, and tries again.
    if (isNew || reply === record) await noted(apart, "createSession", session)
    if (!isNew) throw new RedisError("duplicate", { operation: "createSession" })
    return session
  }
}

const noteOne = script(`${note}
note(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return "done"`)

async function noted(
  { connection, keys, keepExpired }: Apart,
  operation: string,
  { sessionToken, userId, expires }: ReturnType<typeof wholeSession>,
): Promise<void> {
  await connection.run(
    operation,
    noteOne,
    [keys.sessionsOf(userId)],
    [
      sessionToken,
      String(expires.getTime()),
      lifetime(expires, keepExpired),
      forgotten(keepExpired),
    ],
  )
}

const replace = script(`
local session = redis.call("GET", KEYS[1])
if not session then return false end
if session ~= ARGV[1] then return "changed" end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return "done"`)

/** The set first: it may say that a session lives longer than it does, not the other way round. */
function updates(apart: Apart): SessionMethods["updateSession"] {
  const operation = "updateSession"
  const { connection, keys, keepExpired } = apart
  return async (given) => {
    const token = tokenOf(given.sessionToken)
    if (token === null) return null
    const changes = changesOf(given)
    const index = [keys.session(token)]
    return changing(operation, async () => {
      const before = textOrNull(await connection.run(operation, find, index))
      if (before === null) return null
      const old = sessionFromText(token, before)
      const next = { ...old, ...changes }
      await noted(apart, operation, next)
      const values = [before, sessionToText(next), lifetime(next.expires, keepExpired)]
      const reply = await connection.run(operation, replace, index, values)
      if (reply === changed) return changed
      if (reply === null) return null
      if (old.userId !== next.userId) {
        await dropToken(apart, operation, old.userId, token)
      }
      return next
    })
  }
}
