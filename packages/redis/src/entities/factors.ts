import {
  type FactorMethods,
  parseText,
  readText,
  recordFields,
  toLookupText,
} from "@latchkey/adapter-kit"
import type { AdapterFactor } from "@latchkey/core/adapters"
import { toTextOrNull, toTexts } from "../client/connection.ts"
import { assertDone, changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import type { Store } from "../store.ts"
import {
  parseRecord,
  readNumber,
  type StoredRecord,
  serializeRecord,
  toStoredRecord,
} from "../stored-record.ts"

const entity = "LatchkeyFactor"

const createFactorScript = createScript(`
if redis.call("HSETNX", KEYS[1], ARGV[1], ARGV[2]) == 0 then return "duplicate" end
redis.call("SADD", KEYS[2], ARGV[1])
return "done"`)

const readFactorScript = createScript(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const listFactorsScript = createScript(`
local found = {}
for _, id in ipairs(redis.call("SMEMBERS", KEYS[2])) do
  found[#found + 1] = redis.call("HGET", KEYS[1], id)
end
return found`)

const replaceFactorScript = createScript(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return "done"`)

const deleteFactorScript = createScript(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("SREM", KEYS[2], ARGV[1])
return "done"`)

/** Creates the methods for second factors. */
export function createFactorMethods(store: Store): FactorMethods {
  const { connection, keys } = store

  /** Reads a factor, and calls a function with it, again while other clients change it. False if there is none. */
  async function changeFactor(
    operation: string,
    value: string,
    change: (factor: AdapterFactor, before: string) => Promise<boolean | typeof changedReply>,
  ): Promise<boolean> {
    const id = toLookupText(value, `${entity}.id`)
    if (id === null) return false
    return retryWhileChanged(operation, async () => {
      const reply = await connection.run(operation, readFactorScript, [keys.factors], [id])
      const before = toTextOrNull(reply)
      return before === null ? false : change(toFactor(parseRecord(before)), before)
    })
  }

  return {
    async createFactor(factor) {
      const id = parseText(factor.id, `${entity}.id`)
      const record = toStoredRecord(entity, recordFields[entity], factor)
      const index = [keys.factors, keys.factorsOf(readText(record, "userId"))]
      const values = [id, serializeRecord(record)]
      assertDone(
        "createFactor",
        await connection.run("createFactor", createFactorScript, index, values),
      )
    },
    async listFactors(userId) {
      const owner = toLookupText(userId, `${entity}.userId`)
      if (owner === null) return []
      const index = [keys.factors, keys.factorsOf(owner)]
      const found = toTexts(await connection.run("listFactors", listFactorsScript, index))
      const factors = found.map((each) => toFactor(parseRecord(each)))
      return factors.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    },
    updateFactor: ({ id, version, data }) =>
      changeFactor("updateFactor", id, async (factor, before) => {
        if (factor.version !== version) return false
        const next = toStoredRecord(entity, recordFields[entity], {
          ...factor,
          version: version + 1,
          data,
        })
        const values = [id, before, serializeRecord(next)]
        const reply = await connection.run(
          "updateFactor",
          replaceFactorScript,
          [keys.factors],
          values,
        )
        return reply === changedReply ? changedReply : true
      }),
    deleteFactor: (id) =>
      changeFactor("deleteFactor", id, async ({ userId }, before) => {
        const index = [keys.factors, keys.factorsOf(userId)]
        const reply = await connection.run("deleteFactor", deleteFactorScript, index, [id, before])
        return reply === changedReply ? changedReply : true
      }),
  }
}

function toFactor(stored: StoredRecord): AdapterFactor {
  return {
    id: readText(stored, "id"),
    userId: readText(stored, "userId"),
    method: readText(stored, "method"),
    createdAt: new Date(readNumber(stored, "createdAt")),
    version: readNumber(stored, "version"),
    data: readText(stored, "data"),
  }
}
