import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { assertDone, changed, changing } from "../client/changing.ts"
import { textOrNull } from "../client/connection.ts"
import { script } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { Store } from "../store.ts"
import { read, type Stored, written } from "../values/record.ts"
import { lookup } from "../values/stored.ts"
import { fieldOfAccount } from "./account-record.ts"
import { addressOf, userFromRecord, userFromText, userToRecord } from "./user-record.ts"

type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByAccount" | "getUserByEmail" | "updateUser">
>

/** The methods for users. */
export function users(store: Store): UserMethods {
  return { ...reading(store), ...writing(store) }
}

const find = script(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const findBy = script(`
local id = redis.call("HGET", KEYS[2], ARGV[1])
if not id then return false end
return redis.call("HGET", KEYS[1], id)`)

/** Gives what Redis holds of a user, or null. */
export async function recordOfUser(
  { connection, keys }: Store,
  operation: string,
  id: string | null,
): Promise<string | null> {
  return id === null ? null : textOrNull(await connection.run(operation, find, [keys.users], [id]))
}

function reading(
  store: Store,
): Pick<UserMethods, "getUser" | "getUserByAccount" | "getUserByEmail"> {
  const { connection, keys, userFields } = store
  async function findUser(
    operation: string,
    index: string,
    name: string | null,
  ): Promise<AdapterUser | null> {
    if (name === null) return null
    const record = await connection.run(operation, findBy, [keys.users, index], [name])
    return typeof record === "string" ? userFromText(userFields, record) : null
  }
  return {
    async getUser(id) {
      const record = await recordOfUser(store, "getUser", lookup(id, "User.id"))
      return record === null ? null : userFromText(userFields, record)
    },
    // People without an address are in no index: the empty one finds nobody.
    getUserByEmail: async (email) =>
      findUser("getUserByEmail", keys.addresses, lookup(email, "User.email")),
    getUserByAccount: async (account) =>
      findUser("getUserByAccount", keys.owners, fieldOfAccount(account)),
  }
}

const create = script(`
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then return "duplicate" end
if ARGV[3] ~= "" and redis.call("HSETNX", KEYS[2], ARGV[3], ARGV[1]) == 0 then return "duplicate" end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return "done"`)

const replace = script(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
if ARGV[5] ~= ARGV[4] then
  if ARGV[5] ~= "" and redis.call("HSETNX", KEYS[2], ARGV[5], ARGV[1]) == 0 then return "duplicate" end
  if ARGV[4] ~= "" then redis.call("HDEL", KEYS[2], ARGV[4]) end
end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return "done"`)

/** A record with an id of a new user. */
export function newUser(store: Store, user: AdapterUser): Stored & { readonly id: string } {
  const id = user.id ?? crypto.randomUUID()
  const record = userToRecord(store.userFields, { ...user, id })
  return { ...record, id: String(record["id"]) }
}

function writing(store: Store): Pick<UserMethods, "createUser" | "updateUser"> {
  const { connection, keys, userFields } = store
  const index = [keys.users, keys.addresses]
  return {
    async createUser(user) {
      const record = newUser(store, user)
      const values = [record.id, written(record), addressOf(record)]
      assertDone("createUser", await connection.run("createUser", create, index, values))
      return userFromRecord(userFields, record)
    },
    async updateUser({ id, ...changes }) {
      const given = userToRecord(userFields, changes)
      return changing("updateUser", async () => {
        const before = await recordOfUser(store, "updateUser", lookup(id, "User.id"))
        if (before === null) throw new RedisError("missing-record", { operation: "updateUser" })
        const old = read(before)
        const next = { ...old, ...given }
        const addresses = [addressOf(old), addressOf(next)]
        const values = [String(old["id"]), before, written(next), ...addresses]
        const reply = await connection.run("updateUser", replace, index, values)
        if (reply === changed) return changed
        assertDone("updateUser", reply)
        return userFromRecord(userFields, next)
      })
    },
  }
}
