import type { LeaseAnswer, LeaseStore } from "@latchkey/core/adapters"
import { type Connection, type Reply, texts } from "../client/connection.ts"
import { script } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { SessionKeys } from "../keys.ts"
import { key } from "../values/stored.ts"

/** A lease that is over is a key that is gone: when that is, Redis tells by its own clock. */
const acquire = script(`
local result = redis.call("HGET", KEYS[1], "result")
if result then return {"settled", result} end
local holder = redis.call("HGET", KEYS[1], "holder")
if holder and holder ~= ARGV[1] then return {"held"} end
redis.call("HSET", KEYS[1], "holder", ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return {"granted"}`)

const settle = script(`
if redis.call("HGET", KEYS[1], "holder") ~= ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "result", ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1`)

const release = script(`
if redis.call("HGET", KEYS[1], "holder") ~= ARGV[1] then return 0 end
if redis.call("HEXISTS", KEYS[1], "result") == 1 then return 0 end
return redis.call("DEL", KEYS[1])`)

/** The methods for leases. Each lease is one key, so that a cluster may have it wherever it likes. */
export function leases(connection: Connection, keys: SessionKeys): LeaseStore {
  return {
    async acquireLease(lease) {
      const values = [holderOf(lease), lifetimeOf(lease)]
      const reply = await connection.run("acquireLease", acquire, [nameOf(keys, lease)], values)
      return answerOf(reply)
    },
    async settleLease(lease) {
      const values = [holderOf(lease), lifetimeOf(lease), key(lease.result, "Lease.result")]
      const reply = await connection.run("settleLease", settle, [nameOf(keys, lease)], values)
      return Number(reply) === 1
    },
    async releaseLease(lease) {
      await connection.run("releaseLease", release, [nameOf(keys, lease)], [holderOf(lease)])
    },
  }
}

function answerOf(reply: Reply): LeaseAnswer {
  const [state, result] = texts(reply)
  if (state === "settled" && result !== undefined) return { state, result }
  if (state === "granted" || state === "held") return { state }
  throw new RedisError("failed", { operation: "acquireLease" })
}

function nameOf(keys: SessionKeys, lease: { readonly key: string }): string {
  return keys.lease(key(lease.key, "Lease.key"))
}

function holderOf(lease: { readonly holder: string }): string {
  return key(lease.holder, "Lease.holder")
}

function lifetimeOf({ lifetime }: { readonly lifetime: number }): string {
  if (Number.isSafeInteger(lifetime) && lifetime > 0) return String(lifetime)
  throw new TypeError("Lease.lifetime must be a whole number of milliseconds, 1 or more.")
}
