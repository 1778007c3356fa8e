import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase, ConformanceContext, LimitedTextField } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  buildAccount,
  buildSession,
  buildUser,
  buildVerificationToken,
  storeUser,
} from "./record-fixtures.ts"

/** Minimum lengths in characters: what the standards allow, or what large providers are known to send. */
const minimumLengths: Readonly<Record<LimitedTextField, number>> = {
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

const limitedFields = Object.keys(minimumLengths) as LimitedTextField[]
/** Exceeds a short text column of any database. */
const oversizedLength = 100_000

/** Requirements for long texts: they are kept whole, or refused. */
export const lengthCases: readonly ConformanceCase[] = [
  {
    name: "texts of the maximum length are stored unchanged",
    group: "values",
    run: async (context) => {
      for (const field of limitedFields) {
        const value = buildText(context.lengths?.[field] ?? minimumLengths[field])
        const kept = await storeText(context, field, value).catch((error: unknown) =>
          assert.fail(`${field} rejects ${value.length} characters: ${String(error)}`),
        )
        assert.ok(kept === value, `${field} of ${value.length} characters is stored unchanged`)
      }
    },
  },
  {
    name: "longer texts are rejected or stored unchanged, and never truncated",
    group: "values",
    run: async (context) => {
      for (const field of limitedFields) {
        const maxLength = context.lengths?.[field] ?? minimumLengths[field]
        for (const value of [buildText(maxLength + 1), buildText(oversizedLength)]) {
          const kept = await storeText(context, field, value).catch((error: unknown) => {
            if (error instanceof assert.AssertionError) throw error
            return value
          })
          const message = `${field} of ${value.length} characters is rejected or stored unchanged`
          assert.ok(kept === value, message)
        }
      }
    },
  },
]

function buildText(length: number): string {
  const start = randomUUID()
  return `${start}${"x".repeat(length - start.length - 1)}!`
}

/** Stores a record with the text, and returns the stored text. */
async function storeText(
  context: ConformanceContext,
  limitedField: LimitedTextField,
  value: string,
): Promise<unknown> {
  const [entity, field = ""] = limitedField.split(".")
  const row = await recordWriters[entity ?? ""]?.(context, { [field]: value })
  return row ? Reflect.get(row, field) : row
}

type StoreRecord = (
  context: ConformanceContext,
  changes: Readonly<Record<string, string>>,
) => Promise<object | null | undefined>

const recordWriters: Readonly<Record<string, StoreRecord>> = {
  async User(context, changes) {
    const { id } = await requireMethods(context, "createUser").createUser(
      buildUser(context, changes),
    )
    return context.db.user(id)
  },
  async Account(context, changes) {
    const account = buildAccount(context, (await storeUser(context)).id, changes)
    await requireMethods(context, "linkAccount").linkAccount({ ...account })
    return context.db.account(account)
  },
  async Session(context, changes) {
    const session = { ...buildSession(context, (await storeUser(context)).id), ...changes }
    await requireMethods(context, "createSession").createSession({ ...session })
    return context.db.session(session.sessionToken)
  },
  async VerificationToken(context, changes) {
    const token = { ...buildVerificationToken(), ...changes }
    await requireMethods(context, "createVerificationToken").createVerificationToken({ ...token })
    return context.db.verificationToken(token)
  },
}
