import type { VerificationTokenMethods } from "@latchkey/adapter-kit"
import { toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"

export function createVerificationTokenMethods(store: Store): VerificationTokenMethods {
  const { VerificationToken } = store.entities
  return {
    async createVerificationToken(record) {
      const data = toEntityData(store, "VerificationToken", record)
      const { identifier, token, expires } = await store.write(
        "createVerificationToken",
        async (em) => em.create(VerificationToken, data, { persist: true }),
      )
      return { identifier, token, expires }
    },
    /** Several callers may have read the row, but only one of them deletes it. */
    async useVerificationToken({ identifier, token }) {
      if (!isLookupText(identifier) || !isLookupText(token)) return null
      const key = { identifier, token }
      return store.run("useVerificationToken", async (em) => {
        const found = await em.findOne(VerificationToken, key, freshReadOptions)
        if (found === null) return null
        const count = await em.nativeDelete(VerificationToken, key)
        return count === 1 ? { ...key, expires: found.expires } : null
      })
    },
  }
}
