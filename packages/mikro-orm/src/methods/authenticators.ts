import type { Adapter } from "@latchkey/core/adapters"
import { MikroOrmError } from "../errors.ts"
import { authenticatorOf, dataOf } from "../records.ts"
import { fresh, type Store } from "../store.ts"
import { isName } from "../values.ts"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticatorCounter"
  >
>

/** The methods for passkeys. */
export function authenticators(store: Store): AuthenticatorMethods {
  const { Authenticator } = store.entities
  return {
    async createAuthenticator(authenticator) {
      const data = dataOf(store, "Authenticator", authenticator)
      const created = await store.write("createAuthenticator", async (em) =>
        em.create(Authenticator, data, { persist: true }),
      )
      return authenticatorOf(store, created)
    },
    async getAuthenticator(credentialID) {
      if (!isName(credentialID)) return null
      const found = await store.run("getAuthenticator", (em) =>
        em.findOne(Authenticator, { credentialID }, fresh),
      )
      return found && authenticatorOf(store, found)
    },
    async listAuthenticatorsByUserId(userId) {
      if (!isName(userId)) return []
      const found = await store.run("listAuthenticatorsByUserId", (em) =>
        em.find(Authenticator, { user: userId }, fresh),
      )
      return found.map((each) => authenticatorOf(store, each))
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const operation = "updateAuthenticatorCounter"
      if (!isName(credentialID)) throw new MikroOrmError("missing-row", { operation })
      return store.run(operation, async (em) => {
        await em.nativeUpdate(Authenticator, { credentialID }, { counter })
        const found = await em.findOne(Authenticator, { credentialID }, fresh)
        if (found === null) throw new MikroOrmError("missing-row", { operation })
        return authenticatorOf(store, found)
      })
    },
  }
}
