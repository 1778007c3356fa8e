import type { AccountKey, Adapter } from "@latchkey/core/adapters"
import { accountOf, dataOf, userOf } from "../records.ts"
import { fresh, type Store } from "../store.ts"
import { isName } from "../values.ts"

type AccountMethods = Required<
  Pick<
    Adapter,
    "createUserWithAccount" | "getAccount" | "linkAccount" | "unlinkAccount" | "updateAccount"
  >
>

/** The methods for accounts. */
export function accounts(store: Store): AccountMethods {
  const { User, Account } = store.entities
  return {
    async createUserWithAccount(newUser, newAccount) {
      const userData = dataOf(store, "User", newUser)
      const accountData = dataOf(store, "Account", newAccount)
      const created = await store.write("createUserWithAccount", async (em) => {
        const user = em.create(User, userData, { persist: true })
        em.create(Account, { ...accountData, user }, { persist: true })
        return user
      })
      return userOf(store, created)
    },
    async linkAccount(account) {
      const data = dataOf(store, "Account", account)
      const linked = await store.write("linkAccount", async (em) =>
        em.create(Account, data, { persist: true }),
      )
      return accountOf(store, linked)
    },
    async getAccount(providerAccountId, provider) {
      const key = { provider, providerAccountId }
      if (!isKey(key)) return null
      const account = await store.run("getAccount", (em) => em.findOne(Account, key, fresh))
      return account && accountOf(store, account)
    },
    async updateAccount({ provider, providerAccountId, ...changes }) {
      const key = { provider, providerAccountId }
      const data = dataOf(store, "Account", changes)
      if (!isKey(key)) return null
      const updated = await store.write("updateAccount", async (em) => {
        const account = await em.findOne(Account, key, fresh)
        return account && em.assign(account, data)
      })
      return updated && accountOf(store, updated)
    },
    async unlinkAccount({ provider, providerAccountId }) {
      const key = { provider, providerAccountId }
      if (!isKey(key)) return
      await store.run("unlinkAccount", (em) => em.nativeDelete(Account, key))
    },
  }
}

function isKey({ provider, providerAccountId }: AccountKey): boolean {
  return isName(provider) && isName(providerAccountId)
}
