import type { AccountKey, AdapterAccount, AdapterAccountType } from "@latchkey/core/adapters"
import { type Fields, fieldsOf, number, type Stored, text, textOrNull } from "../values/record.ts"
import { lookup } from "../values/stored.ts"

const tokens = ["access_token", "refresh_token", "id_token", "scope"] as const
const types: readonly AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"]

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
} as const satisfies Fields

/** The name that an account is looked up by; null when no account can have it. */
export function fieldOfAccount({ provider, providerAccountId }: AccountKey): string | null {
  const parts = [
    lookup(provider, "Account.provider"),
    lookup(providerAccountId, "Account.providerAccountId"),
  ]
  // As JSON, no two pairs have one name.
  return parts.includes(null) ? null : JSON.stringify(parts)
}

/** The given fields of an account. What else a token endpoint answered is left behind. */
export function accountToRecord(account: Partial<AdapterAccount>): Stored {
  const record = fieldsOf("Account", fields, account)
  return account.type === undefined ? record : { ...record, type: typeOf(account.type) }
}

/** Reads an account. A field without a value is not there. */
export function accountFromRecord(record: Stored): AdapterAccount {
  const account: AdapterAccount = {
    userId: text(record, "userId"),
    type: typeOf(record["type"]),
    provider: text(record, "provider"),
    providerAccountId: text(record, "providerAccountId"),
  }
  for (const field of tokens) {
    const value = textOrNull(record, field)
    if (value !== null) account[field] = value
  }
  const tokenType = textOrNull(record, "token_type")
  // The type of a lower-case string has no constructor: `toLowerCase` is one.
  if (tokenType !== null) account.token_type = tokenType.toLowerCase() as Lowercase<string>
  if ((record["expires_at"] ?? null) !== null) account.expires_at = number(record, "expires_at")
  const state = record["session_state"] ?? null
  // What was stored came from JSON.
  if (state !== null) account["session_state"] = state as NonNullable<typeof account.session_state>
  return account
}

function typeOf(value: unknown): AdapterAccountType {
  const type = types.find((known) => known === value)
  if (type === undefined) throw new TypeError(`Account.type must be one of ${types.join(", ")}.`)
  return type
}
