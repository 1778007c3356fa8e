/** Ends the sessions of a user, all but one. A session that is begun meanwhile is not among them. */
import type { Adapter } from "@latchkey/core/adapters"
import { script } from "../client/script.ts"
import { lookup } from "../values/stored.ts"
import { dropToken, type Indexed, inBatches, takeSession, tokensOf } from "./index-of-user.ts"

type Ending = Required<Pick<Adapter, "deleteSessions">>

const operation = "deleteSessions"

/** @returns what ends the sessions with these tokens, and tells how many there were */
function endingWith(
  indexed: Indexed,
  end: (owner: string, tokens: readonly string[]) => Promise<number>,
): Ending {
  return {
    async deleteSessions(userId, { except } = {}) {
      const owner = lookup(userId, "Session.userId")
      if (owner === null) return 0
      const tokens = await tokensOf(indexed, operation, owner)
      const ending = tokens.filter((token) => token !== except)
      return ending.length === 0 ? 0 : end(owner, ending)
    },
  }
}

const take = script(`
local ended = 0
for at = 2, #KEYS do
  local session = redis.call("GET", KEYS[at])
  if session and string.match(session, " (.*)$") == ARGV[1] then
    ended = ended + redis.call("DEL", KEYS[at])
  end
  redis.call("ZREM", KEYS[1], ARGV[at])
end
return ended`)

/** All at once, where all are in one slot. */
export function endingTogether(indexed: Indexed): Ending {
  const { connection, keys } = indexed
  return endingWith(indexed, async (owner, tokens) => {
    const index = [keys.sessionsOf(owner), ...tokens.map(keys.session)]
    return Number(await connection.run(operation, take, index, [owner, ...tokens]))
  })
}

/** One by one. Who is interrupted has ended some, and ends the others by trying again. */
export function endingApart(indexed: Indexed): Ending {
  return endingWith(indexed, async (owner, tokens) => {
    const ended = await inBatches(tokens, async (token) => {
      const record = await takeSession(indexed, operation, token, owner)
      await dropToken(indexed, operation, owner, token)
      return record
    })
    return ended.filter((record) => record !== null).length
  })
}
