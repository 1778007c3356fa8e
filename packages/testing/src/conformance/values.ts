import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { having } from "./context.ts"
import {
  anAccount,
  aSession,
  assertRecord,
  aToken,
  aUser,
  inSeconds,
  keyOf,
  storedAccount,
  storedSession,
  storedUser,
} from "./records.ts"

/** Two, three and four bytes for a character, two characters for a letter, and a direction. */
const scripts = "Zoë Å\u030Angström 山田太郎 🦊👩‍👩‍👧 \u202Eعربى"
const beforeNextSecond = 993

/** What an adapter promises about the values that it stores: they come back as they were. */
export const valueCases: readonly ConformanceCase[] = [
  {
    name: "texts in every script are kept, with characters of four bytes",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "getUserByEmail", "getUserByAccount", "linkAccount")
      const email = `zoë.🦊.${randomUUID()}@bücher.example`
      const user = await storedUser(context, { name: scripts, email })
      assertRecord(await context.db.user(user.id), { ...user, name: scripts, email })
      assertRecord(await adapter.getUserByEmail(email), user)
      const providerAccountId = `${scripts} ${randomUUID()}`
      const account = anAccount(context, user.id, { providerAccountId, scope: scripts })
      await adapter.linkAccount({ ...account })
      assertRecord(await context.db.account(account), account, ["id"])
      assertRecord(await adapter.getUserByAccount(keyOf(account)), user)
    },
  },
  {
    name: "e-mail tokens of an address in any script are kept",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "createVerificationToken", "useVerificationToken")
      const token = { ...aToken(), identifier: `山田.🦊.${randomUUID()}@bücher.example` }
      await adapter.createVerificationToken({ ...token })
      assertRecord(await context.db.verificationToken(token), token, ["id"])
      const { expires: _, ...key } = token
      assertRecord(await adapter.useVerificationToken(key), token)
    },
  },
  {
    name: "addresses that differ by an accent are different addresses",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "getUserByEmail")
      const end = `${randomUUID()}@example.com`
      const accented = await storedUser(context, { email: `zoé.${end}` })
      assert.equal(await adapter.getUserByEmail(`zoe.${end}`), null)
      const plain = await storedUser(context, { email: `zoe.${end}` })
      assertRecord(await adapter.getUserByEmail(accented.email), accented)
      assertRecord(await adapter.getUserByEmail(plain.email), plain)
    },
  },
  {
    name: "account ids that differ by an accent, by case or by a space at the end are different",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "getUserByAccount")
      const id = randomUUID()
      const ids = [`é${id}a`, `e${id}a`, `e${id}A`, `e${id}A `]
      for (const providerAccountId of ids) {
        const key = { provider: "spotify", providerAccountId }
        assert.equal(await adapter.getUserByAccount(key), null)
        const user = await storedUser(context)
        await storedAccount(context, user.id, { providerAccountId })
        assertRecord(await adapter.getUserByAccount(key), user)
      }
    },
  },
  {
    name: "session tokens that differ by case or by a space at the end are different",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "createSession", "getSessionAndUser")
      const { id } = await storedUser(context)
      const token = `aB${randomUUID()}`
      for (const sessionToken of [token, token.replace("aB", "Ab"), `${token} `]) {
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
        const session = { ...aSession(context, id), sessionToken }
        await adapter.createSession({ ...session })
        const found = await adapter.getSessionAndUser(sessionToken)
        assertRecord(found?.session, session, ["id"])
      }
    },
  },
  {
    name: "dates are kept to the millisecond",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "getUser", "createSession", "getSessionAndUser")
      const { updateSession } = having(context, "updateSession")
      for (const milliseconds of [1, 500, beforeNextSecond]) {
        const expires = new Date(inSeconds(3600).getTime() + milliseconds)
        const { id } = await storedUser(context, { emailVerified: expires })
        assert.deepEqual((await adapter.getUser(id))?.emailVerified, expires)
        const session = { ...aSession(context, id), expires }
        await adapter.createSession({ ...session })
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assert.deepEqual(found?.session.expires, expires)
        const later = new Date(expires.getTime() + 60_001)
        await updateSession({ sessionToken: session.sessionToken, expires: later })
        assertRecord(
          await context.db.session(session.sessionToken),
          { ...session, expires: later },
          ["id"],
        )
      }
    },
  },
  {
    name: "the dates of e-mail tokens are kept to the millisecond",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "createVerificationToken", "useVerificationToken")
      const expires = new Date(inSeconds(900).getTime() + beforeNextSecond)
      const token = { ...aToken(), expires }
      await adapter.createVerificationToken({ ...token })
      const { expires: _, ...key } = token
      assert.deepEqual((await adapter.useVerificationToken(key))?.expires, expires)
    },
  },
  {
    name: "a session may last beyond the year 2038",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "getSessionAndUser", "updateSession")
      const { sessionToken } = await storedSession(context, (await storedUser(context)).id)
      const expires = new Date("2100-02-28T23:59:59.000Z")
      await adapter.updateSession({ sessionToken, expires })
      assert.deepEqual((await adapter.getSessionAndUser(sessionToken))?.session.expires, expires)
    },
  },
  {
    name: "a session that has expired is still found",
    group: "values",
    run: async (context) => {
      const adapter = having(context, "createSession", "getSessionAndUser")
      const user = aUser(context)
      const { id } = await having(context, "createUser").createUser(user)
      const session = { ...aSession(context, id), expires: inSeconds(-5) }
      await adapter.createSession({ ...session })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      assertRecord(found?.session, session, ["id"])
    },
  },
]
