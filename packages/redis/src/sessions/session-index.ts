/**
 * The sessions of a user: those whose tokens are in the user's set, if they still exist and are the user's. A session
 * that lives is always in the set; what else is in it does no harm, and goes by itself.
 */
import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import { type Connection, toTextOrNull, toTexts } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import type { SessionKeys } from "../keys.ts"
import { toLookupText } from "../values/encode-value.ts"
import { sessionFromText, toSessionToken } from "./session-record.ts"

type SessionIndexMethods = Required<Pick<Adapter, "deleteSession" | "listSessions">>

/** Where the sessions are. */
export interface SessionIndex {
  readonly connection: Connection
  readonly keys: SessionKeys
}

const readSessionScript = createScript(`return redis.call("GET", KEYS[1])`)

const listTokensScript = createScript(
  `return redis.call("ZRANGEBYSCORE", KEYS[1], ARGV[1], "+inf")`,
)

const removeTokenScript = createScript(`return redis.call("ZREM", KEYS[1], ARGV[1])`)

/** Takes a session; if an owner is given, only from them. */
const takeSessionScript = createScript(`
local session = redis.call("GET", KEYS[1])
if not session then return false end
if ARGV[1] and string.match(session, " (.*)$") ~= ARGV[1] then return false end
redis.call("DEL", KEYS[1])
return session`)

/**
 * Gives the tokens in the set of a user.
 * @param since leaves out what expired before, in milliseconds since 1970
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

/** Takes a session, if it is there and of that owner; gives what Redis held. */
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

/** Takes a token out of the set of a user. */
export async function removeToken(
  { connection, keys }: SessionIndex,
  operation: string,
  userId: string,
  token: string,
): Promise<void> {
  await connection.run(operation, removeTokenScript, [keys.sessionsOf(userId)], [token])
}

/** The methods that work alike wherever the sessions are. Each script touches one key. */
export function createSessionIndexMethods(sessionIndex: SessionIndex): SessionIndexMethods {
  const { connection, keys } = sessionIndex
  return {
    async deleteSession(sessionToken) {
      const token = toSessionToken(sessionToken)
      if (token === null) return null
      const record = await takeSession(sessionIndex, "deleteSession", token)
      if (record === null) return null
      const session = sessionFromText(token, record)
      // The session is over. That its token stays in the set for a while must not look as if it were not.
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

/** How many commands are sent before their answers are waited for. */
const batchSize = 100

/** Does something with each token, not with all at once. */
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
