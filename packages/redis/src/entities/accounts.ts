import { parseAccount, readText, toLookupText } from "@latchkey/adapter-kit"
import type { AccountKey, Adapter } from "@latchkey/core/adapters"
import { toTextOrNull, toTexts } from "../client/connection.ts"
import { assertDone, changedReply, retryWhileChanged } from "../client/optimistic-update.ts"
import { createScript } from "../client/script.ts"
import type { Store } from "../store.ts"
import { parseRecord, serializeRecord } from "../stored-record.ts"
import { accountToRecord, toAccountField } from "./account-record.ts"

type AccountMethods = Required<
  Pick<Adapter, "getAccount" | "linkAccount" | "listAccounts" | "unlinkAccount" | "updateAccount">
>

const readAccountScript = createScript(`return redis.call("HGET", KEYS[1], ARGV[1])`)

const listAccountsScript = createScript(`
local accounts = {}
for _, name in ipairs(redis.call("SMEMBERS", KEYS[2])) do
  local account = redis.call("HGET", KEYS[1], name)
  if account then accounts[#accounts + 1] = account end
end
return accounts`)

const linkAccountScript = createScript(`
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 0 then return "unknown-user" end
if redis.call("HSETNX", KEYS[2], ARGV[1], ARGV[2]) == 0 then return "duplicate" end
redis.call("HSET", KEYS[3], ARGV[1], ARGV[3])
redis.call("SADD", KEYS[4], ARGV[1])
return "done"`)

const replaceAccountScript = createScript(`
if redis.call("HGET", KEYS[3], ARGV[1]) ~= ARGV[3] then return "changed" end
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 0 then return "unknown-user" end
redis.call("HSET", KEYS[2], ARGV[1], ARGV[2])
redis.call("HSET", KEYS[3], ARGV[1], ARGV[4])
redis.call("SREM", KEYS[4], ARGV[1])
redis.call("SADD", KEYS[5], ARGV[1])
return "done"`)

const unlinkAccountScript = createScript(`
if redis.call("HGET", KEYS[2], ARGV[1]) ~= ARGV[2] then return "changed" end
redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("HDEL", KEYS[2], ARGV[1])
redis.call("SREM", KEYS[3], ARGV[1])
return "done"`)

export function createAccountMethods(store: Store): AccountMethods {
  const { connection, keys } = store
  async function recordOf(operation: string, field: string | null): Promise<string | null> {
    if (field === null) return null
    return toTextOrNull(
      await connection.run(operation, readAccountScript, [keys.accounts], [field]),
    )
  }
  return {
    ...createChangeMethods(store, recordOf),
    async linkAccount(account) {
      const record = accountToRecord(account)
      const linked = parseAccount(record)
      const { userId } = linked
      const index = [keys.users, keys.accountOwners, keys.accounts, keys.accountsOf(userId)]
      const values = [String(toAccountField(linked)), userId, serializeRecord(record)]
      assertDone(
        "linkAccount",
        await connection.run("linkAccount", linkAccountScript, index, values),
      )
      return linked
    },
    async getAccount(providerAccountId, provider) {
      const record = await recordOf("getAccount", toAccountField({ provider, providerAccountId }))
      return record === null ? null : parseAccount(parseRecord(record))
    },
    async listAccounts(userId) {
      const owner = toLookupText(userId, "Account.userId")
      if (owner === null) return []
      const index = [keys.accounts, keys.accountsOf(owner)]
      const records = toTexts(await connection.run("listAccounts", listAccountsScript, index))
      const accounts = records.map((record) => parseAccount(parseRecord(record)))
      return accounts.filter((account) => account.userId === owner)
    },
  }
}

/**
 * Creates the methods that change an account. Its owner is known only after reading it, so that the scripts check that
 * it did not change since.
 */
function createChangeMethods(
  { connection, keys }: Store,
  recordOf: (operation: string, field: string | null) => Promise<string | null>,
): Pick<AccountMethods, "unlinkAccount" | "updateAccount"> {
  return {
    async updateAccount({ provider, providerAccountId, ...changedFields }) {
      const field = toAccountField({ provider, providerAccountId })
      const changes = accountToRecord(changedFields)
      return retryWhileChanged("updateAccount", async () => {
        const before = await recordOf("updateAccount", field)
        if (field === null || before === null) return null
        const old = parseRecord(before)
        const next = { ...old, ...changes }
        const owners = [old, next].map((record) => readText(record, "userId"))
        const index = [
          keys.users,
          keys.accountOwners,
          keys.accounts,
          ...owners.map(keys.accountsOf),
        ]
        const values = [field, readText(next, "userId"), before, serializeRecord(next)]
        const reply = await connection.run("updateAccount", replaceAccountScript, index, values)
        if (reply === changedReply) return changedReply
        assertDone("updateAccount", reply)
        return parseAccount(next)
      })
    },
    async unlinkAccount({ provider, providerAccountId }: AccountKey) {
      const field = toAccountField({ provider, providerAccountId })
      return retryWhileChanged("unlinkAccount", async () => {
        const before = await recordOf("unlinkAccount", field)
        if (field === null || before === null) return undefined
        const account = parseAccount(parseRecord(before))
        const index = [keys.accountOwners, keys.accounts, keys.accountsOf(account.userId)]
        const reply = await connection.run("unlinkAccount", unlinkAccountScript, index, [
          field,
          before,
        ])
        return reply === changedReply ? changedReply : account
      })
    },
  }
}
