/**
 * The sessions of a user: those whose tokens are in the user's set, if they exist and belong to the user. The set
 * contains every live session. Other tokens in it do no harm, and expire.
 */
import { type SessionMethods, toLookupText } from "@latchkey/adapter-kit"
import type { AdapterSession } from "@latchkey/core/adapters"
import { type Connection, toTextOrNull } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import type { SessionKeys } from "../keys.ts"
import { listMembers, removeMember } from "./expiring-index.ts"
import { sessionFromText, toSessionToken } from "./session-record.ts"

type SessionIndexMethods = Pick<SessionMethods, "deleteSession" | "listSessions">

/** Access to the sessions. */
export interface SessionIndex {
  readonly connection: Connection
  readonly keys: SessionKeys
}

const readSessionScript = createScript(`return redis.call("GET", KEYS[1])`)

/** Removes and returns a session; with an owner, only if it belongs to them. */
const takeSessionScript = createScript(`
local session = redis.call("GET", KEYS[1])
if not session then return false end
if ARGV[1] and string.match(session, " (.*)$") ~= ARGV[1] then return false end
redis.call("DEL", KEYS[1])
return session`)

/** Removes a session if it exists and belongs to the owner. Returns its stored text. */
export async function takeSession(
  { connection, keys }: SessionIndex,
  operation: string,
  token: string,
  ...owner: [userId?: string]
): Promise<string | null> {
  const values = owner.filter((userId) => userId !== undefined)
  return toTextOrNull(
    await connection.run(operation, takeSessionScript, [keys.session(token)], values),
  )
}

/** Creates the methods that do not depend on where the sessions are. Each script uses one key. */
export function createSessionIndexMethods(sessionIndex: SessionIndex): SessionIndexMethods {
  const { connection, keys } = sessionIndex
  return {
    async deleteSession(sessionToken) {
      const token = toSessionToken(sessionToken)
      if (token === null) return null
      const record = await takeSession(sessionIndex, "deleteSession", token)
      if (record === null) return null
      const session = sessionFromText(token, record)
      // The session has ended. A failure to clean up the set must not look like a failed sign-out.
      const index = keys.sessionsOf(session.userId)
      await removeMember(connection, "deleteSession", index, token).catch(() => undefined)
      return session
    },
    async listSessions(userId) {
      const owner = toLookupText(userId, "Session.userId")
      if (owner === null) return []
      const now = Date.now()
      const tokens = await listMembers(connection, "listSessions", keys.sessionsOf(owner), now)
      const sessions = await mapInBatches(tokens, async (token) => {
        const found = await connection.run("listSessions", readSessionScript, [keys.session(token)])
        return typeof found === "string" ? sessionFromText(token, found) : null
      })
      return sessions.filter((session): session is AdapterSession => {
        return session?.userId === owner && session.expires.getTime() > now
      })
    },
  }
}

/** How many commands are sent before waiting for their replies. */
const batchSize = 100

/** Runs work for each name, in batches. */
export async function mapInBatches<Value>(
  names: readonly string[],
  work: (name: string) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = []
  for (let start = 0; start < names.length; start += batchSize) {
    results.push(...(await Promise.all(names.slice(start, start + batchSize).map(work))))
  }
  return results
}
