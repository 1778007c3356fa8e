import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase, ConformanceContext, LimitedText } from "./context.ts"
import { having } from "./context.ts"
import { anAccount, aSession, aToken, aUser, storedUser } from "./records.ts"

/** What has to fit everywhere, in characters: what the standards allow, or what large providers are known to send. */
const expected: Readonly<Record<LimitedText, number>> = {
  "User.name": 255,
  "User.email": 254,
  "User.image": 2048,
  "Account.provider": 64,
  "Account.providerAccountId": 255,
  "Account.access_token": 8192,
  "Account.refresh_token": 8192,
  "Account.id_token": 8192,
  "Account.scope": 2048,
  "Session.sessionToken": 128,
  "VerificationToken.identifier": 254,
  "VerificationToken.token": 64,
}

const texts = Object.keys(expected) as LimitedText[]
/** More than a short text column of any database takes. */
const enormous = 100_000

/** What an adapter promises about long texts: they are kept whole, or refused. */
export const lengthCases: readonly ConformanceCase[] = [
  {
    name: "texts that are as long as they may be are kept whole",
    group: "values",
    run: async (context) => {
      for (const text of texts) {
        const value = textOf(context.lengths?.[text] ?? expected[text])
        const kept = await storing(context, text, value).catch((error: unknown) =>
          assert.fail(`${text} takes ${value.length} characters, but: ${String(error)}`),
        )
        assert.ok(kept === value, `${text} of ${value.length} characters is kept whole`)
      }
    },
  },
  {
    name: "texts that are too long are refused or kept whole, and never cut",
    group: "values",
    run: async (context) => {
      for (const text of texts) {
        const most = context.lengths?.[text] ?? expected[text]
        for (const value of [textOf(most + 1), textOf(enormous)]) {
          const kept = await storing(context, text, value).catch((error: unknown) => {
            if (error instanceof assert.AssertionError) throw error
            return value
          })
          const what = `${text} of ${value.length} characters is refused or kept whole`
          assert.ok(kept === value, what)
        }
      }
    },
  },
]

function textOf(length: number): string {
  const start = randomUUID()
  return `${start}${"x".repeat(length - start.length - 1)}!`
}

/** Stores a record with the text; gives the text as it is in the row. */
async function storing(
  context: ConformanceContext,
  text: LimitedText,
  value: string,
): Promise<unknown> {
  const [entity, field = ""] = text.split(".")
  const row = await rows[entity ?? ""]?.(context, { [field]: value })
  return row ? Reflect.get(row, field) : row
}

type Storing = (
  context: ConformanceContext,
  changes: Readonly<Record<string, string>>,
) => Promise<object | null | undefined>

const rows: Readonly<Record<string, Storing>> = {
  async User(context, changes) {
    const { id } = await having(context, "createUser").createUser(aUser(context, changes))
    return context.db.user(id)
  },
  async Account(context, changes) {
    const account = anAccount(context, (await storedUser(context)).id, changes)
    await having(context, "linkAccount").linkAccount({ ...account })
    return context.db.account(account)
  },
  async Session(context, changes) {
    const session = { ...aSession(context, (await storedUser(context)).id), ...changes }
    await having(context, "createSession").createSession({ ...session })
    return context.db.session(session.sessionToken)
  },
  async VerificationToken(context, changes) {
    const token = { ...aToken(), ...changes }
    await having(context, "createVerificationToken").createVerificationToken({ ...token })
    return context.db.verificationToken(token)
  },
}
