import type { AdapterAccount, AdapterAccountType } from "@latchkey/core/adapters"
import type { ColumnKind, Row } from "../engine.ts"
import type { StoreCodecs } from "../schema/ids.ts"
import { id, integer, text, textOrNull } from "../schema/read.ts"
import { stored } from "../schema/stored.ts"

/** Name of a field that an account is read from. */
export type AccountField =
  | "access_token"
  | "expires_at"
  | "id_token"
  | "provider"
  | "providerAccountId"
  | "refresh_token"
  | "scope"
  | "session_state"
  | "token_type"
  | "type"
  | "userId"

const tokens = ["access_token", "refresh_token", "id_token", "scope"] as const
const types: readonly AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"]

const kinds: Readonly<Record<AccountField, ColumnKind>> = {
  userId: "id",
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
}

/** Names of all fields that an account is read from. */
export const accountFields: readonly AccountField[] =
  // The keys of an object literal that is never added to.
  Object.keys(kinds) as AccountField[]

/** Turns those fields of an account that are given into columns. What else a token endpoint answered is left behind. */
export function accountToRow(
  codecs: StoreCodecs,
  account: Partial<AdapterAccount>,
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const field of accountFields) {
    const value = account[field]
    if (value === undefined) continue
    row[field] =
      field === "type" ? typeOf(value) : stored(codecs, `Account.${field}`, kinds[field], value)
  }
  return row
}

/** Reads an account. A column without a value gives an account without that field. */
export function accountFromRow(codecs: StoreCodecs, row: Row): AdapterAccount {
  const account: AdapterAccount = {
    userId: id(row, "userId", codecs),
    type: typeOf(row["type"]),
    provider: text(row, "provider"),
    providerAccountId: text(row, "providerAccountId"),
  }
  for (const field of tokens) {
    const value = textOrNull(row, field)
    if (value !== null) account[field] = value
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
