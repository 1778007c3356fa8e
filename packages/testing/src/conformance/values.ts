import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertRecordEquals,
  buildAccount,
  buildSession,
  buildUser,
  buildVerificationToken,
  secondsFromNow,
  storeAccount,
  storeSession,
  storeUser,
  toAccountKey,
} from "./record-fixtures.ts"

/** Characters of two, three and four bytes, a letter of two characters, and a writing direction. */
const multiScriptText = "Zoë Å\u030Angström 山田太郎 🦊👩‍👩‍👧 \u202Eعربى"
const beforeNextSecond = 993

/** Requirements for stored values: they are returned unchanged. */
export const valueCases: readonly ConformanceCase[] = [
  {
    name: "texts in every script are stored unchanged, including characters of four bytes",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByEmail", "getUserByAccount", "linkAccount")
      const email = `zoë.🦊.${randomUUID()}@bücher.example`
      const user = await storeUser(context, { name: multiScriptText, email })
      assertRecordEquals(await context.db.user(user.id), { ...user, name: multiScriptText, email })
      assertRecordEquals(await adapter.getUserByEmail(email), user)
      const providerAccountId = `${multiScriptText} ${randomUUID()}`
      const account = buildAccount(context, user.id, { providerAccountId, scope: multiScriptText })
      await adapter.linkAccount({ ...account })
      assertRecordEquals(await context.db.account(account), account, ["id"])
      assertRecordEquals(await adapter.getUserByAccount(toAccountKey(account)), user)
    },
  },
  {
    name: "e-mail tokens for addresses in any script are stored unchanged",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
      const token = {
        ...buildVerificationToken(),
        identifier: `山田.🦊.${randomUUID()}@bücher.example`,
      }
      await adapter.createVerificationToken({ ...token })
      assertRecordEquals(await context.db.verificationToken(token), token, ["id"])
      const { expires: _, ...key } = token
      assertRecordEquals(await adapter.useVerificationToken(key), token)
    },
  },
  {
    name: "addresses that differ by an accent are different addresses",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByEmail")
      const end = `${randomUUID()}@example.com`
      const accented = await storeUser(context, { email: `zoé.${end}` })
      assert.equal(await adapter.getUserByEmail(`zoe.${end}`), null)
      const plain = await storeUser(context, { email: `zoe.${end}` })
      assertRecordEquals(await adapter.getUserByEmail(accented.email), accented)
      assertRecordEquals(await adapter.getUserByEmail(plain.email), plain)
    },
  },
  {
    name: "an address with % or _ is no pattern",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByEmail")
      const end = `${randomUUID()}@example.com`
      await storeUser(context, { email: `zoe.${end}` })
      for (const pattern of [`zo_.${end}`, `%${end}`])
        assert.equal(await adapter.getUserByEmail(pattern), null)
    },
  },
  {
    name: "account ids that are equal numbers are different",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByAccount")
      const number = Date.now()
      const user = await storeUser(context)
      const { provider } = await storeAccount(context, user.id, { providerAccountId: `${number}` })
      for (const providerAccountId of [`0${number}`, `${number}.0`, `${number}x`])
        assert.equal(await adapter.getUserByAccount({ provider, providerAccountId }), null)
    },
  },
  {
    name: "account ids that differ by an accent, by case or by a trailing space are different",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByAccount")
      const id = randomUUID()
      const ids = [`é${id}a`, `e${id}a`, `e${id}A`, `e${id}A `]
      for (const providerAccountId of ids) {
        const key = { provider: "spotify", providerAccountId }
        assert.equal(await adapter.getUserByAccount(key), null)
        const user = await storeUser(context)
        await storeAccount(context, user.id, { providerAccountId })
        assertRecordEquals(await adapter.getUserByAccount(key), user)
      }
    },
  },
  {
    name: "session tokens that differ by case or by a trailing space are different",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "createSession", "getSessionAndUser")
      const { id } = await storeUser(context)
      const token = `aB${randomUUID()}`
      for (const sessionToken of [token, token.replace("aB", "Ab"), `${token} `]) {
        assert.equal(await adapter.getSessionAndUser(sessionToken), null)
        const session = { ...buildSession(context, id), sessionToken }
        await adapter.createSession({ ...session })
        const found = await adapter.getSessionAndUser(sessionToken)
        assertRecordEquals(found?.session, session, ["id"])
      }
    },
  },
  {
    name: "dates keep their milliseconds",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getUser", "createSession", "getSessionAndUser")
      const { updateSession } = requireMethods(context, "updateSession")
      for (const milliseconds of [1, 500, beforeNextSecond]) {
        const expires = new Date(secondsFromNow(3600).getTime() + milliseconds)
        const { id } = await storeUser(context, { emailVerified: expires })
        assert.deepEqual((await adapter.getUser(id))?.emailVerified, expires)
        const session = { ...buildSession(context, id), expires }
        await adapter.createSession({ ...session })
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assert.deepEqual(found?.session.expires, expires)
        const later = new Date(expires.getTime() + 60_001)
        await updateSession({ sessionToken: session.sessionToken, expires: later })
        assertRecordEquals(
          await context.db.session(session.sessionToken),
          { ...session, expires: later },
          ["id"],
        )
      }
    },
  },
  {
    name: "dates of e-mail tokens keep their milliseconds",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
      const expires = new Date(secondsFromNow(900).getTime() + beforeNextSecond)
      const token = { ...buildVerificationToken(), expires }
      await adapter.createVerificationToken({ ...token })
      const { expires: _, ...key } = token
      assert.deepEqual((await adapter.useVerificationToken(key))?.expires, expires)
    },
  },
  {
    name: "sessions can expire after the year 2038",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "getSessionAndUser", "updateSession")
      const { sessionToken } = await storeSession(context, (await storeUser(context)).id)
      const expires = new Date("2100-02-28T23:59:59.000Z")
      await adapter.updateSession({ sessionToken, expires })
      assert.deepEqual((await adapter.getSessionAndUser(sessionToken))?.session.expires, expires)
    },
  },
  {
    name: "expired sessions are still returned",
    group: "values",
    run: async (context) => {
      const adapter = requireMethods(context, "createSession", "getSessionAndUser")
      const user = buildUser(context)
      const { id } = await requireMethods(context, "createUser").createUser(user)
      const session = { ...buildSession(context, id), expires: secondsFromNow(-5) }
      await adapter.createSession({ ...session })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      assertRecordEquals(found?.session, session, ["id"])
    },
  },
]
