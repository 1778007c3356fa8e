import type { Adapter } from "@latchkey/core/adapters"
import { assertDone } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import type { Store } from "../store.ts"
import { serializeRecord } from "../stored-record.ts"
import { accountToRecord, toAccountField } from "./account-record.ts"
import { readAddress, userFromRecord } from "./user-record.ts"
import { createUserRecord } from "./users.ts"

const signUpScript = createScript(`
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then return "duplicate" end
if ARGV[3] ~= "" and redis.call("HEXISTS", KEYS[2], ARGV[3]) == 1 then return "duplicate" end
if redis.call("HSETNX", KEYS[3], ARGV[4], ARGV[1]) == 0 then return "duplicate" end
if ARGV[3] ~= "" then redis.call("HSET", KEYS[2], ARGV[3], ARGV[1]) end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
redis.call("HSET", KEYS[4], ARGV[4], ARGV[5])
redis.call("SADD", KEYS[5], ARGV[4])
return "done"`)

/** Stores a new user together with an account, in one script. */
export function createSignUpMethods(
  store: Store,
): Required<Pick<Adapter, "createUserWithAccount">> {
  const { connection, keys, userFields } = store
  const operation = "createUserWithAccount"
  return {
    async createUserWithAccount(user, account) {
      const record = createUserRecord(store, user)
      const linked = accountToRecord({ ...account, userId: record.id })
      const field = toAccountField(account)
      if (field === null) throw new TypeError("An account must be named by well-formed text.")
      const index = [
        keys.users,
        keys.addresses,
        keys.accountOwners,
        keys.accounts,
        keys.accountsOf(record.id),
      ]
      const values = [
        record.id,
        serializeRecord(record),
        readAddress(record),
        field,
        serializeRecord(linked),
      ]
      assertDone(operation, await connection.run(operation, signUpScript, index, values))
      return userFromRecord(userFields, record)
    },
  }
}
