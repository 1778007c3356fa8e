/** Ends the sessions of a user, optionally except one. Sessions that begin meanwhile remain. */
import { type SessionMethods, toLookupText } from "@latchkey/adapter-kit"
import { createScript } from "../client/script.ts"
import { listMembers, removeMember } from "./expiring-index.ts"
import { mapInBatches, type SessionIndex, takeSession } from "./session-index.ts"

type DeleteSessionsMethods = Pick<SessionMethods, "deleteSessions">

const operation = "deleteSessions"

/** @returns a function that ends the sessions with these tokens and returns their number */
function createDeleteSessionsMethods(
  sessionIndex: SessionIndex,
  deleteTokens: (owner: string, tokens: readonly string[]) => Promise<number>,
): DeleteSessionsMethods {
  const { connection, keys } = sessionIndex
  return {
    async deleteSessions(userId, { except } = {}) {
      const owner = toLookupText(userId, "Session.userId")
      if (owner === null) return 0
      const tokens = await listMembers(connection, operation, keys.sessionsOf(owner))
      const endedTokens = tokens.filter((token) => token !== except)
      return endedTokens.length === 0 ? 0 : deleteTokens(owner, endedTokens)
    },
  }
}

const deleteSessionsScript = createScript(`
local ended = 0
for at = 2, #KEYS do
  local session = redis.call("GET", KEYS[at])
  if session and string.match(session, " (.*)$") == ARGV[1] then
    ended = ended + redis.call("DEL", KEYS[at])
  end
  redis.call("ZREM", KEYS[1], ARGV[at])
end
return ended`)

/** Ends all sessions in one slot at once. */
export function createSingleSlotDeleteSessions(sessionIndex: SessionIndex): DeleteSessionsMethods {
  const { connection, keys } = sessionIndex
  return createDeleteSessionsMethods(sessionIndex, async (owner, tokens) => {
    const index = [keys.sessionsOf(owner), ...tokens.map(keys.session)]
    return Number(await connection.run(operation, deleteSessionsScript, index, [owner, ...tokens]))
  })
}

/** Ends sessions one by one. If it is interrupted, calling it again ends the remaining ones. */
export function createDistributedDeleteSessions(sessionIndex: SessionIndex): DeleteSessionsMethods {
  const { connection, keys } = sessionIndex
  return createDeleteSessionsMethods(sessionIndex, async (owner, tokens) => {
    const ended = await mapInBatches(tokens, async (token) => {
      const record = await takeSession(sessionIndex, operation, token, owner)
      await removeMember(connection, operation, keys.sessionsOf(owner), token)
      return record
    })
    return ended.filter((record) => record !== null).length
  })
}
