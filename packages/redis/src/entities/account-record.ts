import type { AccountKey, AdapterAccount, AdapterAccountType } from "@latchkey/core/adapters"
import { toLookupText } from "../values/encode-value.ts"
import {
  type FieldKinds,
  readNumber,
  readText,
  readTextOrNull,
  type StoredRecord,
  toStoredRecord,
} from "../values/stored-record.ts"

const tokenFields = ["access_token", "refresh_token", "id_token", "scope"] as const
const accountTypes: readonly AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"]

const fields = {
  userId: "key",
  provider: "key",
  providerAccountId: "key",
  access_token: "text",
  refresh_token: "text",
  id_token: "text",
  scope: "text",
  token_type: "text",
  expires_at: "integer",
  session_state: "json",
} as const satisfies FieldKinds

/** The name that an account is looked up by; null when no account can have it. */
export function toAccountField({ provider, providerAccountId }: AccountKey): string | null {
  const parts = [
    toLookupText(provider, "Account.provider"),
    toLookupText(providerAccountId, "Account.providerAccountId"),
  ]
  // As JSON, no two pairs have one name.
  return parts.includes(null) ? null : JSON.stringify(parts)
}

/** The given fields of an account. What else a token endpoint answered is left behind. */
export function accountToRecord(account: Partial<AdapterAccount>): StoredRecord {
  const record = toStoredRecord("Account", fields, account)
  return account.type === undefined ? record : { ...record, type: parseAccountType(account.type) }
}

/** Reads an account. A field without a value is not there. */
export function accountFromRecord(record: StoredRecord): AdapterAccount {
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
  // The type of a lower-case string has no constructor: `toLowerCase` is one.
  if (tokenType !== null) account.token_type = tokenType.toLowerCase() as Lowercase<string>
  if ((record["expires_at"] ?? null) !== null) account.expires_at = readNumber(record, "expires_at")
  const state = record["session_state"] ?? null
  // What was stored came from JSON.
  if (state !== null) account["session_state"] = state as NonNullable<typeof account.session_state>
  return account
}

function parseAccountType(value: unknown): AdapterAccountType {
  const type = accountTypes.find((known) => known === value)
  if (type === undefined)
    throw new TypeError(`Account.type must be one of ${accountTypes.join(", ")}.`)
  return type
}
