import type { Adapter } from "@latchkey/core/adapters"
import { MikroOrmError } from "../errors.ts"
import { dataOf, userOf } from "../records.ts"
import { fresh, type Store } from "../store.ts"
import { isName } from "../values.ts"

type UserMethods = Required<
  Pick<
    Adapter,
    "createUser" | "deleteUser" | "getUser" | "getUserByAccount" | "getUserByEmail" | "updateUser"
  >
>

/** The methods for users. */
export function users(store: Store): UserMethods {
  const { User, Account, VerificationToken } = store.entities
  return {
    async createUser(user) {
      const data = dataOf(store, "User", user)
      const created = await store.write("createUser", async (em) =>
        em.create(User, data, { persist: true }),
      )
      return userOf(store, created)
    },
    async getUser(id) {
      if (!isName(id)) return null
      const user = await store.run("getUser", (em) => em.findOne(User, { id }, fresh))
      return user && userOf(store, user)
    },
    async getUserByEmail(email) {
      // The empty one stands for none.
      if (!isName(email) || email === "") return null
      const user = await store.run("getUserByEmail", (em) => em.findOne(User, { email }, fresh))
      return user && userOf(store, user)
    },
    async getUserByAccount({ provider, providerAccountId }) {
      if (!isName(provider) || !isName(providerAccountId)) return null
      const account = await store.run("getUserByAccount", (em) =>
        em.findOne(
          Account,
          { provider, providerAccountId },
          { ...fresh, populate: ["user"], strategy: "joined" },
        ),
      )
      return account && userOf(store, account.user)
    },
    async updateUser({ id, ...changes }) {
      const operation = "updateUser"
      const data = dataOf(store, "User", changes)
      if (!isName(id)) throw new MikroOrmError("missing-row", { operation })
      const user = await store.write(operation, async (em) => {
        const found = await em.findOne(User, { id }, fresh)
        if (found === null) throw new MikroOrmError("missing-row", { operation })
        return em.assign(found, data)
      })
      return userOf(store, user)
    },
    /** Accounts, sessions and passkeys go by their foreign keys; e-mail tokens know only the address. */
    async deleteUser(id) {
      if (!isName(id)) return null
      const user = await store.write("deleteUser", async (em) => {
        const found = await em.findOne(User, { id }, fresh)
        if (found?.email) await em.nativeDelete(VerificationToken, { identifier: found.email })
        await em.nativeDelete(User, { id })
        return found
      })
      return user && userOf(store, user)
    },
  }
}
