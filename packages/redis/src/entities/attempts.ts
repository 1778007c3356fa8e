import { parseText } from "@latchkey/adapter-kit"
import type { AttemptStore } from "@latchkey/core/adapters"
import { type Connection, toTexts } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { SessionKeys } from "../keys.ts"

/** Windows that have expired are keys that Redis has removed, by its own clock. */
const countAttemptScript = createScript(`
local count = redis.call("INCR", KEYS[1])
if count == 1 then redis.call("PEXPIRE", KEYS[1], ARGV[1]) end
return {tostring(count), tostring(redis.call("PTTL", KEYS[1]))}`)

const resetAttemptsScript = createScript(`return redis.call("DEL", KEYS[1])`)

/** Creates the methods for counted attempts. Each counter is one key, which may be on any node of a cluster. */
export function createAttemptMethods(connection: Connection, keys: SessionKeys): AttemptStore {
  const toKey = (key: string) => keys.attempts(parseText(key, "Attempt.key"))
  return {
    async countAttempt(key, windowSeconds) {
      const lifetime = String(Math.ceil(windowSeconds * 1000))
      const reply = await connection.run(
        "countAttempt",
        countAttemptScript,
        [toKey(key)],
        [lifetime],
      )
      const [count = 0, remaining = 0] = toTexts(reply).map(Number)
      if (!(count >= 1)) throw new RedisError("failed", { operation: "countAttempt" })
      return { count, expires: new Date(Date.now() + remaining) }
    },
    async resetAttempts(key) {
      await connection.run("resetAttempts", resetAttemptsScript, [toKey(key)], [])
    },
  }
}
