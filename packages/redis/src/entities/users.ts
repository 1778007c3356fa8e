import { toLookupText } from "@latchkey/adapter-kit"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { toTextOrNull, toTexts } from "../client/connection.ts"
import { assertDone, changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import { RedisError } from "../errors.ts"
import type { Store } from "../store.ts"
import { parseRecord, type StoredRecord, serializeRecord } from "../stored-record.ts"
import { toAccountField } from "./account-record.ts"
import { readAddress, userFromRecord, userFromText, userToRecord } from "./user-record.ts"

type UserMethods = Required<
  Pick<
    Adapter,
    | "countUnprovenUsers"
    | "createUser"
    | "getUser"
    | "getUserByAccount"
    | "getUserByEmail"
    | "updateUser"
  >
>

export function createUserMethods(store: Store): UserMethods {
  return { ...createReadMethods(store), ...createWriteMethods(store) }
}

const readUserScript = createScript(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const findUserScript = createScript(`
local id = redis.call("HGET", KEYS[2], ARGV[1])
if not id then return false end
return redis.call("HGET", KEYS[1], id)`)

/** Returns the next cursor, and some users. */
const scanUsersScript = createScript(`
local reply = redis.call("HSCAN", KEYS[1], ARGV[1], "COUNT", 500)
local result = {reply[1]}
for index = 2, #reply[2], 2 do result[#result + 1] = reply[2][index] end
return result`)

/** Returns the stored text of a user, or null. */
export async function readUserRecord(
  { connection, keys }: Store,
  operation: string,
  id: string | null,
): Promise<string | null> {
  return id === null
    ? null
    : toTextOrNull(await connection.run(operation, readUserScript, [keys.users], [id]))
}

function createReadMethods(
  store: Store,
): Pick<UserMethods, "countUnprovenUsers" | "getUser" | "getUserByAccount" | "getUserByEmail"> {
  const { connection, keys, userFields } = store
  async function findUser(
    operation: string,
    index: string,
    name: string | null,
  ): Promise<AdapterUser | null> {
    if (name === null) return null
    const record = await connection.run(operation, findUserScript, [keys.users, index], [name])
    return typeof record === "string" ? userFromText(userFields, record) : null
  }
  return {
    async countUnprovenUsers() {
      const operation = "countUnprovenUsers"
      // A hash that is scanned may return a record twice.
      const unprovenIds = new Set<string>()
      for (let cursor: string | undefined; cursor !== "0"; ) {
        const values = [cursor ?? "0"]
        const reply = await connection.run(operation, scanUsersScript, [keys.users], values)
        const [next = "0", ...records] = toTexts(reply)
        for (const user of records.map((record) => userFromText(userFields, record)))
          if (user.email !== "" && !user.emailVerified) unprovenIds.add(user.id)
        cursor = next
      }
      return unprovenIds.size
    },
    async getUser(id) {
      const record = await readUserRecord(store, "getUser", toLookupText(id, "User.id"))
      return record === null ? null : userFromText(userFields, record)
    },
    // Users without an address are not in the index: an empty address finds nobody.
    getUserByEmail: async (email) =>
      findUser("getUserByEmail", keys.addresses, toLookupText(email, "User.email")),
    getUserByAccount: async (account) =>
      findUser("getUserByAccount", keys.accountOwners, toAccountField(account)),
  }
}

const createUserScript = createScript(`
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then return "duplicate" end
if ARGV[3] ~= "" and redis.call("HSETNX", KEYS[2], ARGV[3], ARGV[1]) == 0 then return "duplicate" end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return "done"`)

const replaceUserScript = createScript(`
if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return "changed" end
if ARGV[5] ~= ARGV[4] then
  if ARGV[5] ~= "" and redis.call("HSETNX", KEYS[2], ARGV[5], ARGV[1]) == 0 then return "duplicate" end
  if ARGV[4] ~= "" then redis.call("HDEL", KEYS[2], ARGV[4]) end
end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return "done"`)

/** Creates the record of a new user, with an id. */
export function createUserRecord(
  store: Store,
  user: AdapterUser,
): StoredRecord & { readonly id: string } {
  const id = user.id ?? crypto.randomUUID()
  const record = userToRecord(store.userFields, { ...user, id })
  return { ...record, id: String(record["id"]) }
}

function createWriteMethods(store: Store): Pick<UserMethods, "createUser" | "updateUser"> {
  const { connection, keys, userFields } = store
  const index = [keys.users, keys.addresses]
  return {
    async createUser(user) {
      const record = createUserRecord(store, user)
      const values = [record.id, serializeRecord(record), readAddress(record)]
      assertDone("createUser", await connection.run("createUser", createUserScript, index, values))
      return userFromRecord(userFields, record)
    },
    async updateUser({ id, ...changes }) {
      const changedFields = userToRecord(userFields, changes)
      return retryWhileChanged("updateUser", async () => {
        const before = await readUserRecord(store, "updateUser", toLookupText(id, "User.id"))
        if (before === null) throw new RedisError("not-found", { operation: "updateUser" })
        const old = parseRecord(before)
        const next = { ...old, ...changedFields }
        const addresses = [readAddress(old), readAddress(next)]
        const values = [String(old["id"]), before, serializeRecord(next), ...addresses]
        const reply = await connection.run("updateUser", replaceUserScript, index, values)
        if (reply === changedReply) return changedReply
        assertDone("updateUser", reply)
        return userFromRecord(userFields, next)
      })
    },
  }
}
