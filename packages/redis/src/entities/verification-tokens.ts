import type { Adapter } from "@latchkey/core/adapters"
import { assertDone } from "../client/changing.ts"
import { type Connection, textOrNull } from "../client/connection.ts"
import { script } from "../client/script.ts"
import type { SessionKeys } from "../keys.ts"
import { forgotten, lifetime, note } from "../sessions/lifetime.ts"
import { key, lookup, milliseconds } from "../values/stored.ts"

type TokenMethods = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

const create = script(`${note}
if redis.call("ZSCORE", KEYS[1], ARGV[1]) then return "duplicate" end
note(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return "done"`)

const take = script(`
local expires = redis.call("ZSCORE", KEYS[1], ARGV[1])
if expires then redis.call("ZREM", KEYS[1], ARGV[1]) end
return expires`)

/** The methods for the tokens of e-mail links. All of one address are in one key. */
export function verificationTokens(
  connection: Connection,
  keys: SessionKeys,
  keepExpired: number,
): TokenMethods {
  return {
    async createVerificationToken(given) {
      const identifier = key(given.identifier, "VerificationToken.identifier")
      const token = key(given.token, "VerificationToken.token")
      const expires = new Date(milliseconds(given.expires, "VerificationToken.expires"))
      const reply = await connection.run(
        "createVerificationToken",
        create,
        [keys.tokensOf(identifier)],
        [token, String(expires.getTime()), lifetime(expires, keepExpired), forgotten(keepExpired)],
      )
      assertDone("createVerificationToken", reply)
      return { identifier, token, expires }
    },
    async useVerificationToken(given) {
      const identifier = lookup(given.identifier, "VerificationToken.identifier")
      const token = lookup(given.token, "VerificationToken.token")
      if (identifier === null || token === null) return null
      const index = [keys.tokensOf(identifier)]
      const reply = await connection.run("useVerificationToken", take, index, [token])
      const expires = textOrNull(reply)
      return expires === null ? null : { identifier, token, expires: new Date(Number(expires)) }
    },
  }
}
