import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import { assertDone, changed, changing } from "../client/changing.ts"
import { textOrNull, texts } from "../client/connection.ts"
import { script } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { Store } from "../store.ts"
import * as record from "../values/record.ts"
import { lookup, stored } from "../values/stored.ts"

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
} as const satisfies Record<keyof AdapterAuthenticator, record.Fields[string]>

const create = script(`
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 0 then return "unknown-user" end
if redis.call("HSETNX", KEYS[2], ARGV[1], ARGV[3]) == 0 then return "duplicate" end
redis.call("SADD", KEYS[3], ARGV[1])
return "done"`)

const find = script(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const list = script(`
local found = {}
for _, credential in ipairs(redis.call("SMEMBERS", KEYS[2])) do
  found[#found + 1] = redis.call("HGET", KEYS[1], credential)
end
return found`)

const replace = script(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return "done"`)

/** The methods for passkeys. */
export function authenticators(store: Store): AuthenticatorMethods {
  const { connection, keys } = store
  return {
    ...counting(store),
    async createAuthenticator(authenticator) {
      const given = record.fieldsOf("Authenticator", fields, authenticator)
      const passkey = passkeyOf(given)
      const index = [keys.users, keys.passkeys, keys.passkeysOf(passkey.userId)]
      const values = [passkey.credentialID, passkey.userId, record.written(given)]
      const reply = await connection.run("createAuthenticator", create, index, values)
      assertDone("createAuthenticator", reply)
      return passkey
    },
    async getAuthenticator(credentialID) {
      const found = await recordOf(store, "getAuthenticator", credentialID)
      return found === null ? null : passkeyOf(record.read(found))
    },
    async listAuthenticatorsByUserId(userId) {
      const owner = lookup(userId, "Authenticator.userId")
      if (owner === null) return []
      const index = [keys.passkeys, keys.passkeysOf(owner)]
      const found = texts(await connection.run("listAuthenticatorsByUserId", list, index))
      return found.map((each) => passkeyOf(record.read(each)))
    },
  }
}

function counting(store: Store): Pick<AuthenticatorMethods, "updateAuthenticatorCounter"> {
  const operation = "updateAuthenticatorCounter"
  const { connection, keys } = store
  return {
    async updateAuthenticatorCounter(credentialID, newCounter) {
      const counter = stored("Authenticator.counter", "integer", newCounter)
      return changing(operation, async () => {
        const before = await recordOf(store, operation, credentialID)
        if (before === null) throw new RedisError("missing-record", { operation })
        const next = { ...record.read(before), counter }
        const values = [credentialID, before, record.written(next)]
        const reply = await connection.run(operation, replace, [keys.passkeys], values)
        return reply === changed ? changed : passkeyOf(next)
      })
    },
  }
}

async function recordOf(
  { connection, keys }: Store,
  operation: string,
  credentialID: string,
): Promise<string | null> {
  const name = lookup(credentialID, "Authenticator.credentialID")
  if (name === null) return null
  return textOrNull(await connection.run(operation, find, [keys.passkeys], [name]))
}

function passkeyOf(stored: record.Stored): AdapterAuthenticator {
  return {
    userId: record.text(stored, "userId"),
    providerAccountId: record.text(stored, "providerAccountId"),
    counter: record.number(stored, "counter"),
    credentialBackedUp: stored["credentialBackedUp"] === true,
    credentialID: record.text(stored, "credentialID"),
    credentialPublicKey: record.text(stored, "credentialPublicKey"),
    transports: record.textOrNull(stored, "transports"),
    credentialDeviceType: record.text(stored, "credentialDeviceType"),
  }
}
