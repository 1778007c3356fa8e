import type { AuthenticatorMethods } from "@latchkey/adapter-kit"
import { MikroOrmError } from "../errors.ts"
import { toAdapterAuthenticator, toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"

export function createAuthenticatorMethods(store: Store): AuthenticatorMethods {
  const { Authenticator } = store.entities
  return {
    async createAuthenticator(authenticator) {
      const data = toEntityData(store, "Authenticator", authenticator)
      const created = await store.write("createAuthenticator", async (em) =>
        em.create(Authenticator, data, { persist: true }),
      )
      return toAdapterAuthenticator(store, created)
    },
    async getAuthenticator(credentialID) {
      if (!isLookupText(credentialID)) return null
      const found = await store.run("getAuthenticator", (em) =>
        em.findOne(Authenticator, { credentialID }, freshReadOptions),
      )
      return found && toAdapterAuthenticator(store, found)
    },
    async listAuthenticatorsByUserId(userId) {
      if (!isLookupText(userId)) return []
      const found = await store.run("listAuthenticatorsByUserId", (em) =>
        em.find(Authenticator, { user: userId }, freshReadOptions),
      )
      return found.map((each) => toAdapterAuthenticator(store, each))
    },
    async deleteAuthenticator(credentialID) {
      if (!isLookupText(credentialID)) return
      await store.run("deleteAuthenticator", (em) =>
        em.nativeDelete(Authenticator, { credentialID }),
      )
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const operation = "updateAuthenticatorCounter"
      if (!isLookupText(credentialID)) throw new MikroOrmError("not-found", { operation })
      return store.run(operation, async (em) => {
        const isLower = { credentialID, counter: { $lt: counter } }
        await em.nativeUpdate(Authenticator, isLower, { counter })
        const found = await em.findOne(Authenticator, { credentialID }, freshReadOptions)
        if (found === null) throw new MikroOrmError("not-found", { operation })
        return toAdapterAuthenticator(store, found)
      })
    },
  }
}
