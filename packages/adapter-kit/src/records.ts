/** Stored records: their fields, and how to read them. */
import type { AdapterAccount, AdapterAccountType } from "@latchkey/core/adapters"
import type { ValueKind } from "./parse-value.ts"

/** The stored fields of each entity, with the kinds of their values. */
export const recordFields = {
  User: { id: "key", name: "text", email: "key", emailVerified: "date", image: "text" },
  Account: {
    userId: "key",
    type: "text",
    provider: "key",
    providerAccountId: "key",
    access_token: "text",
    refresh_token: "text",
    id_token: "text",
    scope: "text",
    token_type: "text",
    expires_at: "integer",
    session_state: "json",
  },
  Session: { sessionToken: "key", userId: "key", expires: "date" },
  VerificationToken: { identifier: "key", token: "key", expires: "date" },
  Authenticator: {
    credentialID: "key",
    userId: "key",
    providerAccountId: "key",
    credentialPublicKey: "text",
    counter: "integer",
    credentialDeviceType: "text",
    credentialBackedUp: "boolean",
    transports: "text",
  },
  LatchkeyLease: { key: "key", holder: "key", expires: "date", result: "text" },
  LatchkeyAttempt: { key: "key", count: "integer", expires: "date" },
  LatchkeySessionRecord: {
    id: "key",
    userId: "key",
    createdAt: "date",
    lastSeenAt: "date",
    expires: "date",
    providerSession: "key",
    providerSubject: "key",
    details: "text",
  },
  LatchkeySessionChange: { key: "key", changedAt: "date", expires: "date", details: "text" },
  LatchkeyFactor: {
    id: "key",
    userId: "key",
    method: "text",
    createdAt: "date",
    version: "integer",
    data: "text",
  },
} as const

/** Kind of an additional field of users. Every field may also be null. */
export type UserFieldKind = Extract<ValueKind, "boolean" | "date" | "json" | "number" | "text">

/** Additional fields of users, by name. */
export type UserFields = Readonly<Record<string, UserFieldKind>>

const userFieldKinds: readonly UserFieldKind[] = ["boolean", "date", "json", "number", "text"]

/**
 * Checks the option `userFields`.
 * @param reservedNames names of other fields and columns
 * @throws TypeError naming the field that cannot be used
 */
export function validateUserFields(
  fields: UserFields,
  reservedNames: readonly string[],
): UserFields {
  const seen = new Set(reservedNames.map((name) => name.toLowerCase()))
  for (const [name, kind] of Object.entries(fields)) {
    // Every object inherits names such as `constructor`.
    if (!/^[A-Za-z_]\w{0,62}$/.test(name) || seen.has(name.toLowerCase()) || name in {}) {
      throw new TypeError(
        `\`userFields.${name}\` must consist of letters, digits and "_", and differ from all other fields.`,
      )
    }
    if (!userFieldKinds.includes(kind)) {
      throw new TypeError(`\`userFields.${name}\` must be one of ${userFieldKinds.join(", ")}.`)
    }
    seen.add(name.toLowerCase())
  }
  return { ...fields }
}

/** A record as a database returns it. */
type StoredRecord = Readonly<Record<string, unknown>>

const tokenFields = ["access_token", "refresh_token", "id_token", "scope"] as const
const accountTypes: readonly AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"]

/**
 * Reads a stored account. Fields without a value are absent.
 * @throws TypeError if a field holds something else than an account's
 */
export function parseAccount(record: StoredRecord): AdapterAccount {
  const account: AdapterAccount = {
    userId: readText(record, "userId"),
    type: parseAccountType(record["type"]),
    provider: readText(record, "provider"),
    providerAccountId: readText(record, "providerAccountId"),
  }
  for (const field of tokenFields) {
    const value = readTextOrNull(record, field)
    if (value !== null) account[field] = value
  }
  const tokenType = readTextOrNull(record, "token_type")
  // TypeScript types `toLowerCase` as string.
  if (tokenType !== null) account.token_type = tokenType.toLowerCase() as Lowercase<string>
  const expiresAt = record["expires_at"]
  if (typeof expiresAt === "number") account.expires_at = expiresAt
  const state = record["session_state"] ?? null
  // Databases hold it as JSON.
  if (state !== null) account["session_state"] = state as NonNullable<typeof account.session_state>
  return account
}

/** @throws TypeError if accounts of this type are not stored */
export function parseAccountType(value: unknown): AdapterAccountType {
  const type = accountTypes.find((known) => known === value)
  if (type !== undefined) return type
  throw new TypeError(`Account.type must be one of ${accountTypes.join(", ")}.`)
}

/**
 * Reads required text of a stored record.
 * @throws TypeError if the field holds something else
 */
export function readText(record: StoredRecord, field: string): string {
  const value = record[field]
  if (typeof value === "string") return value
  throw new TypeError(`Field ${field} must hold text.`)
}

/**
 * Reads optional text of a stored record.
 * @throws TypeError if the field holds something else
 */
export function readTextOrNull(record: StoredRecord, field: string): string | null {
  return (record[field] ?? null) === null ? null : readText(record, field)
}
