import type { AccountKey, Adapter } from "@latchkey/core/adapters"
import { toAdapterAccount, toAdapterUser, toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"

type AccountMethods = Required<
  Pick<
    Adapter,
    | "createUserWithAccount"
    | "getAccount"
    | "linkAccount"
    | "listAccounts"
    | "unlinkAccount"
    | "updateAccount"
  >
>

export function createAccountMethods(store: Store): AccountMethods {
  const { User, Account } = store.entities
  return {
    async createUserWithAccount(newUser, newAccount) {
      const userData = toEntityData(store, "User", newUser)
      const accountData = toEntityData(store, "Account", newAccount)
      const created = await store.write("createUserWithAccount", async (em) => {
        const user = em.create(User, userData, { persist: true })
        em.create(Account, { ...accountData, user }, { persist: true })
        return user
      })
      return toAdapterUser(store, created)
    },
    async linkAccount(account) {
      const data = toEntityData(store, "Account", account)
      const linked = await store.write("linkAccount", async (em) =>
        em.create(Account, data, { persist: true }),
      )
      return toAdapterAccount(store, linked)
    },
    async getAccount(providerAccountId, provider) {
      const key = { provider, providerAccountId }
      if (!isAccountKey(key)) return null
      const account = await store.run("getAccount", (em) =>
        em.findOne(Account, key, freshReadOptions),
      )
      return account && toAdapterAccount(store, account)
    },
    async listAccounts(userId) {
      if (!isLookupText(userId)) return []
      const accounts = await store.run("listAccounts", (em) =>
        em.find(Account, { user: userId }, freshReadOptions),
      )
      return accounts.map((account) => toAdapterAccount(store, account))
    },
    async updateAccount({ provider, providerAccountId, ...changes }) {
      const key = { provider, providerAccountId }
      const data = toEntityData(store, "Account", changes)
      if (!isAccountKey(key)) return null
      const updated = await store.write("updateAccount", async (em) => {
        const account = await em.findOne(Account, key, freshReadOptions)
        return account && em.assign(account, data)
      })
      return updated && toAdapterAccount(store, updated)
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const key = { provider, providerAccountId }
      if (!isAccountKey(key)) return
      await store.run("unlinkAccount", (em) => em.nativeDelete(Account, key))
    },
  }
}

function isAccountKey({ provider, providerAccountId }: AccountKey): boolean {
  return isLookupText(provider) && isLookupText(providerAccountId)
}
