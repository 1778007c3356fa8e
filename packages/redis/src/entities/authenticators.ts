import {
  type AuthenticatorMethods,
  parseValue,
  readText,
  readTextOrNull,
  recordFields,
  toLookupText,
} from "@latchkey/adapter-kit"
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import { toTextOrNull, toTexts } from "../client/connection.ts"
import { assertDone, changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { Store } from "../store.ts"
import {
  parseRecord,
  readNumber,
  type StoredRecord,
  serializeRecord,
  toStoredRecord,
} from "../stored-record.ts"

const createPasskeyScript = createScript(`
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 0 then return "unknown-user" end
if redis.call("HSETNX", KEYS[2], ARGV[1], ARGV[3]) == 0 then return "duplicate" end
redis.call("SADD", KEYS[3], ARGV[1])
return "done"`)

const readPasskeyScript = createScript(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const listPasskeysScript = createScript(`
local found = {}
for _, credential in ipairs(redis.call("SMEMBERS", KEYS[2])) do
  found[#found + 1] = redis.call("HGET", KEYS[1], credential)
end
return found`)

const replacePasskeyScript = createScript(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return "done"`)

const deletePasskeyScript = createScript(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("SREM", KEYS[2], ARGV[1])
return "done"`)

export function createAuthenticatorMethods(store: Store): AuthenticatorMethods {
  const { connection, keys } = store
  return {
    ...createCounterMethods(store),
    async deleteAuthenticator(credentialID) {
      const operation = "deleteAuthenticator"
      // Its owner is known only after reading it.
      return retryWhileChanged(operation, async () => {
        const before = await readPasskeyRecord(store, operation, credentialID)
        if (before === null) return null
        const passkey = toAuthenticator(parseRecord(before))
        const index = [keys.passkeys, keys.passkeysOf(passkey.userId)]
        const values = [credentialID, before]
        const reply = await connection.run(operation, deletePasskeyScript, index, values)
        return reply === changedReply ? changedReply : passkey
      })
    },
    async createAuthenticator(authenticator) {
      const record = toStoredRecord("Authenticator", recordFields.Authenticator, authenticator)
      const passkey = toAuthenticator(record)
      const index = [keys.users, keys.passkeys, keys.passkeysOf(passkey.userId)]
      const values = [passkey.credentialID, passkey.userId, serializeRecord(record)]
      const reply = await connection.run("createAuthenticator", createPasskeyScript, index, values)
      assertDone("createAuthenticator", reply)
      return passkey
    },
    async getAuthenticator(credentialID) {
      const found = await readPasskeyRecord(store, "getAuthenticator", credentialID)
      return found === null ? null : toAuthenticator(parseRecord(found))
    },
    async listAuthenticatorsByUserId(userId) {
      const owner = toLookupText(userId, "Authenticator.userId")
      if (owner === null) return []
      const index = [keys.passkeys, keys.passkeysOf(owner)]
      const found = toTexts(
        await connection.run("listAuthenticatorsByUserId", listPasskeysScript, index),
      )
      return found.map((each) => toAuthenticator(parseRecord(each)))
    },
  }
}

function createCounterMethods(
  store: Store,
): Pick<AuthenticatorMethods, "updateAuthenticatorCounter"> {
  const operation = "updateAuthenticatorCounter"
  const { connection, keys } = store
  return {
    async updateAuthenticatorCounter(credentialID, newCounter) {
      const counter = parseValue("integer", newCounter, "Authenticator.counter")
      return retryWhileChanged(operation, async () => {
        const before = await readPasskeyRecord(store, operation, credentialID)
        if (before === null) throw new RedisError("not-found", { operation })
        const record = parseRecord(before)
        const next = { ...record, counter: Math.max(counter, readNumber(record, "counter")) }
        const values = [credentialID, before, serializeRecord(next)]
        const reply = await connection.run(operation, replacePasskeyScript, [keys.passkeys], values)
        return reply === changedReply ? changedReply : toAuthenticator(next)
      })
    },
  }
}

async function readPasskeyRecord(
  { connection, keys }: Store,
  operation: string,
  credentialID: string,
): Promise<string | null> {
  const name = toLookupText(credentialID, "Authenticator.credentialID")
  if (name === null) return null
  return toTextOrNull(await connection.run(operation, readPasskeyScript, [keys.passkeys], [name]))
}

function toAuthenticator(stored: StoredRecord): AdapterAuthenticator {
  return {
    userId: readText(stored, "userId"),
    providerAccountId: readText(stored, "providerAccountId"),
    counter: readNumber(stored, "counter"),
    credentialBackedUp: stored["credentialBackedUp"] === true,
    credentialID: readText(stored, "credentialID"),
    credentialPublicKey: readText(stored, "credentialPublicKey"),
    transports: readTextOrNull(stored, "transports"),
    credentialDeviceType: readText(stored, "credentialDeviceType"),
  }
}
