import type { AdapterAccount, AdapterAccountType } from "../adapters.ts"

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
