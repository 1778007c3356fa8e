import {
  parseText,
  parseValue,
  toLookupText,
  type VerificationTokenMethods,
} from "@latchkey/adapter-kit"
import { type Connection, toTextOrNull } from "../client/connection.ts"
import { assertDone } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import type { SessionKeys } from "../keys.ts"
import { addToIndexLua } from "../sessions/expiring-index.ts"
import { computeLifetime, computeRemovalThreshold } from "../sessions/record-lifetime.ts"

const createTokenScript = createScript(`${addToIndexLua}
if redis.call("ZSCORE", KEYS[1], ARGV[1]) then return "duplicate" end
addToIndex(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return "done"`)

const takeTokenScript = createScript(`
local expires = redis.call("ZSCORE", KEYS[1], ARGV[1])
if expires then redis.call("ZREM", KEYS[1], ARGV[1]) end
return expires`)

/** Creates the methods for e-mail tokens. All tokens of one address are in one key. */
export function createVerificationTokenMethods(
  connection: Connection,
  keys: SessionKeys,
  keepExpired: number,
): VerificationTokenMethods {
  return {
    async createVerificationToken(record) {
      const identifier = parseText(record.identifier, "VerificationToken.identifier")
      const token = parseText(record.token, "VerificationToken.token")
      const expires = parseValue("date", record.expires, "VerificationToken.expires")
      const reply = await connection.run(
        "createVerificationToken",
        createTokenScript,
        [keys.tokensOf(identifier)],
        [
          token,
          String(expires.getTime()),
          computeLifetime(expires, keepExpired),
          computeRemovalThreshold(keepExpired),
        ],
      )
      assertDone("createVerificationToken", reply)
      return { identifier, token, expires }
    },
    async useVerificationToken(tokenKey) {
      const identifier = toLookupText(tokenKey.identifier, "VerificationToken.identifier")
      const token = toLookupText(tokenKey.token, "VerificationToken.token")
      if (identifier === null || token === null) return null
      const index = [keys.tokensOf(identifier)]
      const reply = await connection.run("useVerificationToken", takeTokenScript, index, [token])
      const expires = toTextOrNull(reply)
      return expires === null ? null : { identifier, token, expires: new Date(Number(expires)) }
    },
  }
}
