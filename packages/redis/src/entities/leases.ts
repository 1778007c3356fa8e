import { parseText } from "@latchkey/adapter-kit"
import type { LeaseStatus, LeaseStore } from "@latchkey/core/adapters"
import { type Connection, type Reply, toTexts } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { SessionKeys } from "../keys.ts"

/** Expired leases are keys that Redis has removed, by its own clock. */
const acquireLeaseScript = createScript(`
local result = redis.call("HGET", KEYS[1], "result")
if result then return {"completed", result} end
local holder = redis.call("HGET", KEYS[1], "holder")
if holder and holder ~= ARGV[1] then return {"held"} end
redis.call("HSET", KEYS[1], "holder", ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return {"granted"}`)

const settleLeaseScript = createScript(`
if redis.call("HGET", KEYS[1], "holder") ~= ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "result", ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1`)

const releaseLeaseScript = createScript(`
if redis.call("HGET", KEYS[1], "holder") ~= ARGV[1] then return 0 end
if redis.call("HEXISTS", KEYS[1], "result") == 1 then return 0 end
return redis.call("DEL", KEYS[1])`)

/** Creates the methods for leases. Each lease is one key, which may be on any node of a cluster. */
export function createLeaseMethods(connection: Connection, keys: SessionKeys): LeaseStore {
  return {
    async acquireLease(lease) {
      const values = [readHolder(lease), readLifetime(lease)]
      const reply = await connection.run(
        "acquireLease",
        acquireLeaseScript,
        [toLeaseKey(keys, lease)],
        values,
      )
      return parseLeaseReply(reply)
    },
    async completeLease(lease) {
      const values = [
        readHolder(lease),
        readLifetime(lease),
        parseText(lease.result, "Lease.result"),
      ]
      const reply = await connection.run(
        "completeLease",
        settleLeaseScript,
        [toLeaseKey(keys, lease)],
        values,
      )
      return Number(reply) === 1
    },
    async releaseLease(lease) {
      await connection.run(
        "releaseLease",
        releaseLeaseScript,
        [toLeaseKey(keys, lease)],
        [readHolder(lease)],
      )
    },
  }
}

function parseLeaseReply(reply: Reply): LeaseStatus {
  const [state, result] = toTexts(reply)
  if (state === "completed" && result !== undefined) return { state, result }
  if (state === "granted" || state === "held") return { state }
  throw new RedisError("failed", { operation: "acquireLease" })
}

function toLeaseKey(keys: SessionKeys, lease: { readonly key: string }): string {
  return keys.lease(parseText(lease.key, "Lease.key"))
}

function readHolder(lease: { readonly holder: string }): string {
  return parseText(lease.holder, "Lease.holder")
}

function readLifetime({ lifetime }: { readonly lifetime: number }): string {
  if (Number.isSafeInteger(lifetime) && lifetime > 0) return String(lifetime)
  throw new TypeError("Lease.lifetime must be a whole number of milliseconds, 1 or more.")
}
