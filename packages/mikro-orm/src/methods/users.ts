import type { Adapter } from "@latchkey/core/adapters"
import type { EntityManager } from "@mikro-orm/core"
import { hasEntities, hasSessionRecordEntities } from "../entities/define-entities.ts"
import type { UserEntity } from "../entities/entity-types.ts"
import { MikroOrmError } from "../errors.ts"
import { toAdapterUser, toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"

type UserMethods = Required<
  Pick<
    Adapter,
    | "countUnprovenUsers"
    | "createUser"
    | "deleteUser"
    | "getUser"
    | "getUserByAccount"
    | "getUserByEmail"
    | "updateUser"
  >
>

export function createUserMethods(store: Store): UserMethods {
  const { User, Account, Session, Authenticator, VerificationToken } = store.entities
  const { LatchkeySessionRecord, LatchkeyFactor } = store.entities
  const hasRecords = hasSessionRecordEntities(store)
  const hasFactors = hasEntities(store, "LatchkeyFactor")

  async function findUser(em: EntityManager, id: string): Promise<UserEntity | null> {
    const user = await em.findOne(User, { id }, freshReadOptions)
    // The collation of the column may treat another id as equal.
    return user?.id === id ? user : null
  }

  return {
    async createUser(user) {
      const data = toEntityData(store, "User", user)
      const created = await store.write("createUser", async (em) =>
        em.create(User, data, { persist: true }),
      )
      return toAdapterUser(store, created)
    },
    async countUnprovenUsers() {
      const where = { email: { $ne: "" }, emailVerified: null }
      return store.run("countUnprovenUsers", (em) => em.count(User, where))
    },
    async getUser(id) {
      if (!isLookupText(id)) return null
      const user = await store.run("getUser", (em) => findUser(em, id))
      return user && toAdapterUser(store, user)
    },
    async getUserByEmail(email) {
      // Many users have an empty address.
      if (!isLookupText(email) || email === "") return null
      const user = await store.run("getUserByEmail", (em) =>
        em.findOne(User, { email }, freshReadOptions),
      )
      return user && toAdapterUser(store, user)
    },
    async getUserByAccount({ provider, providerAccountId }) {
      if (!isLookupText(provider) || !isLookupText(providerAccountId)) return null
      const account = await store.run("getUserByAccount", (em) =>
        em.findOne(
          Account,
          { provider, providerAccountId },
          { ...freshReadOptions, populate: ["user"], strategy: "joined" },
        ),
      )
      // The collation of the columns may treat other keys as equal.
      const isMatch =
        account?.provider === provider && account.providerAccountId === providerAccountId
      return isMatch ? toAdapterUser(store, account.user) : null
    },
    async updateUser({ id, ...changes }) {
      const operation = "updateUser"
      const data = toEntityData(store, "User", changes)
      if (!isLookupText(id)) throw new MikroOrmError("not-found", { operation })
      const user = await store.write(operation, async (em) => {
        const found = await findUser(em, id)
        if (found === null) throw new MikroOrmError("not-found", { operation })
        return em.assign(found, data)
      })
      return toAdapterUser(store, user)
    },
    /** Foreign keys delete accounts, sessions and passkeys, but some databases have none. */
    async deleteUser(id) {
      if (!isLookupText(id)) return null
      const user = await store.write("deleteUser", async (em) => {
        const found = await findUser(em, id)
        if (found === null) return null
        if (found.email) await em.nativeDelete(VerificationToken, { identifier: found.email })
        if (hasFactors) await em.nativeDelete(LatchkeyFactor, { userId: id })
        if (hasRecords) await em.nativeDelete(LatchkeySessionRecord, { userId: id })
        // First, so that nothing is added meanwhile. Of several concurrent callers, one deletes the row.
        const count = await em.nativeDelete(User, { id })
        await em.nativeDelete(Account, { user: id })
        await em.nativeDelete(Session, { user: id })
        await em.nativeDelete(Authenticator, { user: id })
        return count > 0 ? found : null
      })
      return user && toAdapterUser(store, user)
    },
  }
}
