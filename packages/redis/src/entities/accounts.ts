import type { AccountKey, Adapter } from "@latchkey/core/adapters"
import { assertDone, changed, changing } from "../client/changing.ts"
import { textOrNull } from "../client/connection.ts"
import { script } from "../client/script.ts"
import type { Store } from "../store.ts"
import { read, text, written } from "../values/record.ts"
import { accountFromRecord, accountToRecord, fieldOfAccount } from "./account-record.ts"

type AccountMethods = Required<
  Pick<Adapter, "getAccount" | "linkAccount" | "unlinkAccount" | "updateAccount">
>

const find = script(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const link = script(`
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 0 then return "unknown-user" end
if redis.call("HSETNX", KEYS[2], ARGV[1], ARGV[2]) == 0 then return "duplicate" end
redis.call("HSET", KEYS[3], ARGV[1], ARGV[3])
redis.call("SADD", KEYS[4], ARGV[1])
return "done"`)

const replace = script(`
if redis.call("HGET", KEYS[3], ARGV[1]) ~= ARGV[3] then return "changed" end
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 0 then return "unknown-user" end
redis.call("HSET", KEYS[2], ARGV[1], ARGV[2])
redis.call("HSET", KEYS[3], ARGV[1], ARGV[4])
redis.call("SREM", KEYS[4], ARGV[1])
redis.call("SADD", KEYS[5], ARGV[1])
return "done"`)

const unlink = script(`
if redis.call("HGET", KEYS[2], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("HDEL", KEYS[2], ARGV[1])
redis.call("SREM", KEYS[3], ARGV[1])
return "done"`)

/** The methods for accounts. */
export function accounts(store: Store): AccountMethods {
  const { connection, keys } = store
  async function recordOf(operation: string, field: string | null): Promise<string | null> {
    if (field === null) return null
    return textOrNull(await connection.run(operation, find, [keys.accounts], [field]))
  }
  return {
    ...changes(store, recordOf),
    async linkAccount(account) {
      const record = accountToRecord(account)
      const linked = accountFromRecord(record)
      const { userId } = linked
      const index = [keys.users, keys.owners, keys.accounts, keys.accountsOf(userId)]
      const values = [String(fieldOfAccount(linked)), userId, written(record)]
      assertDone("linkAccount", await connection.run("linkAccount", link, index, values))
      return linked
    },
    async getAccount(providerAccountId, provider) {
      const record = await recordOf("getAccount", fieldOfAccount({ provider, providerAccountId }))
      return record === null ? null : accountFromRecord(read(record))
    },
  }
}

/** Whose an account is, is known when it has been read; then it must still be what was read. */
function changes(
  { connection, keys }: Store,
  recordOf: (operation: string, field: string | null) => Promise<string | null>,
): Pick<AccountMethods, "unlinkAccount" | "updateAccount"> {
  return {
    async updateAccount({ provider, providerAccountId, ...given }) {
      const field = fieldOfAccount({ provider, providerAccountId })
      const changes = accountToRecord(given)
      return changing("updateAccount", async () => {
        const before = await recordOf("updateAccount", field)
        if (field === null || before === null) return null
        const old = read(before)
        const next = { ...old, ...changes }
        const owners = [old, next].map((record) => text(record, "userId"))
        const index = [keys.users, keys.owners, keys.accounts, ...owners.map(keys.accountsOf)]
        const values = [field, text(next, "userId"), before, written(next)]
        const reply = await connection.run("updateAccount", replace, index, values)
        if (reply === changed) return changed
        assertDone("updateAccount", reply)
        return accountFromRecord(next)
      })
    },
    async unlinkAccount({ provider, providerAccountId }: AccountKey) {
      const field = fieldOfAccount({ provider, providerAccountId })
      return changing("unlinkAccount", async () => {
        const before = await recordOf("unlinkAccount", field)
        if (field === null || before === null) return undefined
        const account = accountFromRecord(read(before))
        const index = [keys.owners, keys.accounts, keys.accountsOf(account.userId)]
        const reply = await connection.run("unlinkAccount", unlink, index, [field, before])
        return reply === changed ? changed : account
      })
    },
  }
}
