import { toLookupText } from "@latchkey/adapter-kit"
import type { Adapter, SessionRecordStore } from "@latchkey/core/adapters"
import { toTexts } from "../client/connection.ts"
import { changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import type { Store } from "../store.ts"
import { parseRecord } from "../stored-record.ts"
import { deleteRecordsOf } from "./session-record-methods.ts"
import { readAddress, userFromRecord } from "./user-record.ts"
import { readUserRecord } from "./users.ts"

const deleteUserScript = createScript(`
local id, record, address = ARGV[1], ARGV[2], ARGV[3]
if redis.call("HGET", KEYS[1], id) ~= record then return "changed" end
redis.call("HDEL", KEYS[1], id)
if address ~= "" then redis.call("HDEL", KEYS[2], address) end
for _, account in ipairs(redis.call("SMEMBERS", KEYS[6])) do
  redis.call("HDEL", KEYS[3], account)
  redis.call("HDEL", KEYS[4], account)
end
for _, credential in ipairs(redis.call("SMEMBERS", KEYS[7])) do
  redis.call("HDEL", KEYS[5], credential)
end
for _, factor in ipairs(redis.call("SMEMBERS", KEYS[11])) do
  redis.call("HDEL", KEYS[10], factor)
end
local sessions = redis.call("ZRANGE", KEYS[8], 0, -1)
redis.call("DEL", KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[11])
return sessions`)

const deleteSessionsScript = createScript(`
for _, session in ipairs(KEYS) do redis.call("DEL", session) end
return "done"`)

/** How many keys are passed to one script. */
const batchSize = 500

/**
 * Removes a user with accounts, passkeys, second factors and e-mail tokens, and then the sessions, whose keys only the first script
 * returns, and session records. Without their user they are worthless; if these steps are never reached, they expire.
 */
export function createDeleteUserMethods(
  store: Store,
  records: SessionRecordStore,
): Required<Pick<Adapter, "deleteUser">> {
  const { connection, keys, userFields } = store
  const operation = "deleteUser"
  async function removeUser(id: string, before: string): Promise<string[] | typeof changedReply> {
    const address = readAddress(parseRecord(before))
    const index = [
      ...[keys.users, keys.addresses, keys.accountOwners, keys.accounts, keys.passkeys],
      ...[keys.accountsOf(id), keys.passkeysOf(id), keys.sessionsOf(id), keys.tokensOf(address)],
      ...[keys.factors, keys.factorsOf(id)],
    ]
    const reply = await connection.run(operation, deleteUserScript, index, [id, before, address])
    return reply === changedReply ? changedReply : toTexts(reply)
  }
  return {
    async deleteUser(userId) {
      const id = toLookupText(userId, "User.id")
      return retryWhileChanged(operation, async () => {
        const before = await readUserRecord(store, operation, id)
        if (id === null || before === null) return null
        const tokens = await removeUser(id, before)
        if (tokens === changedReply) return changedReply
        for (let start = 0; start < tokens.length; start += batchSize) {
          const some = tokens.slice(start, start + batchSize).map(keys.session)
          await connection.run(operation, deleteSessionsScript, some)
        }
        await deleteRecordsOf(records, id)
        return userFromRecord(userFields, parseRecord(before))
      })
    },
  }
}
