import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import { toTextOrNull, toTexts } from "../client/connection.ts"
import { assertDone, changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { Store } from "../store.ts"
import { encodeValue, toLookupText } from "../values/encode-value.ts"
import * as record from "../values/stored-record.ts"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticatorCounter"
  >
>

const fields = {
  credentialID: "key",
  userId: "key",
  providerAccountId: "key",
  credentialPublicKey: "text",
  counter: "integer",
  credentialDeviceType: "text",
  credentialBackedUp: "boolean",
  transports: "text",
} as const satisfies Record<keyof AdapterAuthenticator, record.FieldKinds[string]>

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

/** The methods for passkeys. */
export function createAuthenticatorMethods(store: Store): AuthenticatorMethods {
  const { connection, keys } = store
  return {
    ...createCounterMethods(store),
    async createAuthenticator(authenticator) {
      const storedRecord = record.toStoredRecord("Authenticator", fields, authenticator)
      const passkey = toAuthenticator(storedRecord)
      const index = [keys.users, keys.passkeys, keys.passkeysOf(passkey.userId)]
      const values = [passkey.credentialID, passkey.userId, record.serializeRecord(storedRecord)]
      const reply = await connection.run("createAuthenticator", createPasskeyScript, index, values)
      assertDone("createAuthenticator", reply)
      return passkey
    },
    async getAuthenticator(credentialID) {
      const found = await readPasskeyRecord(store, "getAuthenticator", credentialID)
      return found === null ? null : toAuthenticator(record.parseRecord(found))
    },
    async listAuthenticatorsByUserId(userId) {
      const owner = toLookupText(userId, "Authenticator.userId")
      if (owner === null) return []
      const index = [keys.passkeys, keys.passkeysOf(owner)]
      const found = toTexts(
        await connection.run("listAuthenticatorsByUserId", listPasskeysScript, index),
      )
      return found.map((each) => toAuthenticator(record.parseRecord(each)))
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
      const counter = encodeValue("Authenticator.counter", "integer", newCounter)
      return retryWhileChanged(operation, async () => {
        const before = await readPasskeyRecord(store, operation, credentialID)
        if (before === null) throw new RedisError("missing-record", { operation })
        const next = { ...record.parseRecord(before), counter }
        const values = [credentialID, before, record.serializeRecord(next)]
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

function toAuthenticator(stored: record.StoredRecord): AdapterAuthenticator {
  return {
    userId: record.readText(stored, "userId"),
    providerAccountId: record.readText(stored, "providerAccountId"),
    counter: record.readNumber(stored, "counter"),
    credentialBackedUp: stored["credentialBackedUp"] === true,
    credentialID: record.readText(stored, "credentialID"),
    credentialPublicKey: record.readText(stored, "credentialPublicKey"),
    transports: record.readTextOrNull(stored, "transports"),
    credentialDeviceType: record.readText(stored, "credentialDeviceType"),
  }
}
