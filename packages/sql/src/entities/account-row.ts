import type { AdapterAccount, AdapterAccountType } from "@latchkey/core/adapters"
import type { Codecs, Row } from "../engine.ts"
import { integer, text, textOrNull } from "../schema/read.ts"
import { stored } from "../schema/stored.ts"
import type { Tables } from "../schema/tables.ts"

const keys = ["userId", "provider", "providerAccountId"] as const
const tokens = ["access_token", "refresh_token", "id_token", "scope"] as const
const types: readonly AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"]

/** Names of all columns that an account is read from. */
export const accountColumns: readonly (keyof Tables["Account"])[] = [
  ...keys,
  ...tokens,
  "type",
  "token_type",
  "expires_at",
  "session_state",
]

/** Turns an account into columns. What else a token endpoint answered is left behind. */
export function accountToRow(codecs: Codecs, account: AdapterAccount): Record<string, unknown> {
  const row: Record<string, unknown> = { type: typeOf(account.type) }
  for (const column of keys) {
    row[column] = stored(codecs, `Account.${column}`, "key", account[column])
  }
  for (const column of [...tokens, "token_type"]) {
    row[column] = stored(codecs, `Account.${column}`, "text", account[column])
  }
  row["expires_at"] = stored(codecs, "Account.expires_at", "integer", account.expires_at)
  row["session_state"] = stored(codecs, "Account.session_state", "json", account["session_state"])
  return row
}

/** Reads an account. A column without a value gives an account without that field. */
export function accountFromRow(codecs: Codecs, row: Row): AdapterAccount {
  const account: AdapterAccount = {
    userId: text(row, "userId"),
    type: typeOf(row["type"]),
    provider: text(row, "provider"),
    providerAccountId: text(row, "providerAccountId"),
  }
  for (const column of tokens) {
    const value = textOrNull(row, column)
    if (value !== null) account[column] = value
  }
  const tokenType = textOrNull(row, "token_type")
  // The type of a lower-case string has no constructor: `toLowerCase` is one.
  if (tokenType !== null) account.token_type = tokenType.toLowerCase() as Lowercase<string>
  if (row["expires_at"] !== null) account.expires_at = integer(row, "expires_at")
  if (row["session_state"] !== null) {
    account["session_state"] = codecs.json.decode(row["session_state"])
  }
  return account
}

function typeOf(value: unknown): AdapterAccountType {
  const type = types.find((known) => known === value)
  if (type === undefined) throw new TypeError(`Account.type must be one of ${types.join(", ")}.`)
  return type
}
