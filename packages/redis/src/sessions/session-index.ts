/**
 * The sessions of a user: those whose tokens are in the user's set, if they exist and belong to the user. The set
 * contains every live session. Other tokens in it do no harm, and expire.
 */
import { type SessionMethods, toLookupText } from "@latchkey/core/adapter-kit"
import type { AdapterSession } from "@latchkey/core/adapters"
import { type Connection, toTextOrNull, toTexts } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import type { SessionKeys } from "../keys.ts"
import { sessionFromText, toSessionToken } from "./session-record.ts"

type SessionIndexMethods = Pick<SessionMethods, "deleteSession" | "listSessions">

/** Access to the sessions. */
export interface SessionIndex {
  readonly connection: Connection
  readonly keys: SessionKeys
}

const readSessionScript = createScript(`return redis.call("GET", KEYS[1])`)

const listTokensScript = createScript(
  `return redis.call("ZRANGEBYSCORE", KEYS[1], ARGV[1], "+inf")`,
)

const removeTokenScript = createScript(`return redis.call("ZREM", KEYS[1], ARGV[1])`)

/** Removes and returns a session; with an owner, only if it belongs to them. */
const takeSessionScript = createScript(`
local session = redis.call("GET", KEYS[1])
if not session then return false end
if ARGV[1] and string.match(session, " (.*)$") ~= ARGV[1] then return false end
redis.call("DEL", KEYS[1])
return session`)

/**
 * Returns the tokens in the set of a user.
 * @param since leaves out tokens that expired before, in milliseconds since 1970
 */
export async function listTokens(
  { connection, keys }: SessionIndex,
  operation: string,
  userId: string,
  since: number | "-inf" = "-inf",
): Promise<string[]> {
  const index = [keys.sessionsOf(userId)]
  return toTexts(await connection.run(operation, listTokensScript, index, [String(since)]))
}

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

/** Removes a token from the set of a user. */
export async function removeToken(
  { connection, keys }: SessionIndex,
  operation: string,
  userId: string,
  token: string,
): Promise<void> {
  await connection.run(operation, removeTokenScript, [keys.sessionsOf(userId)], [token])
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
      await removeToken(sessionIndex, "deleteSession", session.userId, token).catch(() => undefined)
      return session
    },
    async listSessions(userId) {
      const owner = toLookupText(userId, "Session.userId")
      if (owner === null) return []
      const now = Date.now()
      const tokens = await listTokens(sessionIndex, "listSessions", owner, now)
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

/** Runs work for each token, in batches. */
export async function mapInBatches<Value>(
  tokens: readonly string[],
  work: (token: string) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = []
  for (let start = 0; start < tokens.length; start += batchSize) {
    results.push(...(await Promise.all(tokens.slice(start, start + batchSize).map(work))))
  }
  return results
}
