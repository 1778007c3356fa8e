import type { Adapter } from "@latchkey/core/adapters"
import { dataOf } from "../records.ts"
import { fresh, type Store } from "../store.ts"
import { isName } from "../values.ts"

type TokenMethods = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

/** The methods for tokens of e-mail links. */
export function verificationTokens(store: Store): TokenMethods {
  const { VerificationToken } = store.entities
  return {
    async createVerificationToken(record) {
      const data = dataOf(store, "VerificationToken", record)
      const { identifier, token, expires } = await store.write(
        "createVerificationToken",
        async (em) => em.create(VerificationToken, data, { persist: true }),
      )
      return { identifier, token, expires }
    },
    /** Many may have read the row, but the database tells only one of them that it was there to be deleted. */
    async useVerificationToken({ identifier, token }) {
      if (!isName(identifier) || !isName(token)) return null
      const key = { identifier, token }
      return store.run("useVerificationToken", async (em) => {
        const found = await em.findOne(VerificationToken, key, fresh)
        if (found === null) return null
        const count = await em.nativeDelete(VerificationToken, key)
        return count === 1 ? { ...key, expires: found.expires } : null
      })
    },
  }
}
