import assert from "node:assert/strict"
import type { ConformanceCase } from "./context.ts"
import { requireMethods } from "./context.ts"
import { assertNoRow, assertRecordEquals, buildVerificationToken } from "./record-fixtures.ts"

/** Requirements for e-mail tokens. */
export const verificationTokenCases: readonly ConformanceCase[] = [
  {
    name: "createVerificationToken and useVerificationToken exist",
    group: "core",
    run: async (context) => {
      requireMethods(context, "createVerificationToken", "useVerificationToken")
    },
  },
  {
    name: "createVerificationToken stores a token",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken")
      const token = buildVerificationToken()
      await adapter.createVerificationToken({ ...token })
      assertRecordEquals(await context.db.verificationToken(token), token, ["id"])
    },
  },
  {
    name: "createVerificationToken stores several tokens of one address",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
      const one = buildVerificationToken()
      const two = { ...buildVerificationToken(), identifier: one.identifier }
      for (const token of [one, two]) await adapter.createVerificationToken({ ...token })
      for (const { identifier, token } of [one, two]) {
        assert.equal((await adapter.useVerificationToken({ identifier, token }))?.token, token)
      }
    },
  },
  {
    name: "useVerificationToken returns only the token, and only once",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
      const token = buildVerificationToken()
      await adapter.createVerificationToken({ ...token })
      const key = { identifier: token.identifier, token: token.token }
      assert.deepEqual({ ...(await adapter.useVerificationToken(key)) }, token)
      assertNoRow(await context.db.verificationToken(key))
      assert.equal(await adapter.useVerificationToken(key), null)
    },
  },
  {
    name: "useVerificationToken returns and removes nothing for another address or token",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
      const [token, other] = [buildVerificationToken(), buildVerificationToken()]
      for (const each of [token, other]) await adapter.createVerificationToken({ ...each })
      const swapped = { identifier: other.identifier, token: token.token }
      assert.equal(await adapter.useVerificationToken(swapped), null)
      const guessed = { identifier: token.identifier, token: buildVerificationToken().token }
      assert.equal(await adapter.useVerificationToken(guessed), null)
      for (const each of [token, other]) {
        assertRecordEquals(await context.db.verificationToken(each), each, ["id"])
      }
    },
  },
]
