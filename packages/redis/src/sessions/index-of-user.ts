/**
 * The sessions of a user: those whose tokens are in the user's set, if they still exist and are the user's. A session
 * that lives is always in the set; what else is in it does no harm, and goes by itself.
 */
import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import { type Connection, textOrNull, texts } from "../client/connection.ts"
import { script } from "../client/script.ts"
import type { SessionKeys } from "../keys.ts"
import { lookup } from "../values/stored.ts"
import { sessionFromText, tokenOf } from "./session-record.ts"

type IndexedMethods = Required<Pick<Adapter, "deleteSession" | "listSessions">>

/** Where the sessions are. */
export interface Indexed {
  readonly connection: Connection
  readonly keys: SessionKeys
}

const find = script(`return redis.call("GET", KEYS[1])`)

const members = script(`return redis.call("ZRANGEBYSCORE", KEYS[1], ARGV[1], "+inf")`)

const drop = script(`return redis.call("ZREM", KEYS[1], ARGV[1])`)

/** Takes a session; if an owner is given, only from them. */
const take = script(`
local session = redis.call("GET", KEYS[1])
if not session then return false end
if ARGV[1] and string.match(session, " (.*)$") ~= ARGV[1] then return false end
redis.call("DEL", KEYS[1])
return session`)

/**
 * Gives the tokens in the set of a user.
 * @param since leaves out what expired before, in milliseconds since 1970
 */
export async function tokensOf(
  { connection, keys }: Indexed,
  operation: string,
  userId: string,
  since: number | "-inf" = "-inf",
): Promise<string[]> {
  const index = [keys.sessionsOf(userId)]
  return texts(await connection.run(operation, members, index, [String(since)]))
}

/** Takes a session, if it is there and of that owner; gives what Redis held. */
export async function takeSession(
  { connection, keys }: Indexed,
  operation: string,
  token: string,
  ...owner: [userId?: string]
): Promise<string | null> {
  const values = owner.filter((userId) => userId !== undefined)
  return textOrNull(await connection.run(operation, take, [keys.session(token)], values))
}

/** Takes a token out of the set of a user. */
export async function dropToken(
  { connection, keys }: Indexed,
  operation: string,
  userId: string,
  token: string,
): Promise<void> {
  await connection.run(operation, drop, [keys.sessionsOf(userId)], [token])
}

/** The methods that work alike wherever the sessions are. Each script touches one key. */
export function indexedSessions(indexed: Indexed): IndexedMethods {
  const { connection, keys } = indexed
  return {
    async deleteSession(sessionToken) {
      const token = tokenOf(sessionToken)
      if (token === null) return null
      const record = await takeSession(indexed, "deleteSession", token)
      if (record === null) return null
      const session = sessionFromText(token, record)
      // The session is over. That its token stays in the set for a while must not look as if it were not.
      await dropToken(indexed, "deleteSession", session.userId, token).catch(() => undefined)
      return session
    },
    async listSessions(userId) {
      const owner = lookup(userId, "Session.userId")
      if (owner === null) return []
      const now = Date.now()
      const tokens = await tokensOf(indexed, "listSessions", owner, now)
      const sessions = await inBatches(tokens, async (token) => {
        const found = await connection.run("listSessions", find, [keys.session(token)])
        return typeof found === "string" ? sessionFromText(token, found) : null
      })
      return sessions.filter((session): session is AdapterSession => {
        return session?.userId === owner && session.expires.getTime() > now
      })
    },
  }
}

/** How many commands are sent before their answers are waited for. */
const atOnce = 100

/** Does something with each token, not with all at once. */
export async function inBatches<Value>(
  tokens: readonly string[],
  work: (token: string) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = []
  for (let start = 0; start < tokens.length; start += atOnce) {
    results.push(...(await Promise.all(tokens.slice(start, start + atOnce).map(work))))
  }
  return results
}
