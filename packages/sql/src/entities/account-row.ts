import type { AdapterAccount, AdapterAccountType } from "@latchkey/core/adapters"
import type { JsonValue } from "@latchkey/core/types"
import type { ColumnKind, Row } from "../engine.ts"
import { encodeValue } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readId, readInteger, readText, readTextOrNull } from "../schema/read-column.ts"

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

const tokenFields = ["access_token", "refresh_token", "id_token", "scope"] as const
const accountTypes: readonly AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"]

const columnKinds: Readonly<Record<AccountField, ColumnKind>> = {
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
  Object.keys(columnKinds) as AccountField[]

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
      field === "type"
        ? parseAccountType(value)
        : encodeValue(codecs, `Account.${field}`, columnKinds[field], value)
  }
  return row
}

/** Reads an account. A column without a value gives an account without that field. */
export function accountFromRow(codecs: StoreCodecs, row: Row): AdapterAccount {
  const account: AdapterAccount = {
    userId: readId(row, "userId", codecs),
    type: parseAccountType(row["type"]),
    provider: readText(row, "provider"),
    providerAccountId: readText(row, "providerAccountId"),
  }
  for (const field of tokenFields) {
    const value = readTextOrNull(row, field)
    if (value !== null) account[field] = value
  }
  const tokenType = readTextOrNull(row, "token_type")
  // The type of a lower-case string has no constructor: `toLowerCase` is one.
  if (tokenType !== null) account.token_type = tokenType.toLowerCase() as Lowercase<string>
  if (row["expires_at"] !== null) account.expires_at = readInteger(row, "expires_at")
  if (row["session_state"] !== null) {
    account["session_state"] = codecs.json.decode(row["session_state"]) as JsonValue // decoded from JSON
  }
  return account
}

function parseAccountType(value: unknown): AdapterAccountType {
  const type = accountTypes.find((known) => known === value)
  if (type === undefined)
    throw new TypeError(`Account.type must be one of ${accountTypes.join(", ")}.`)
  return type
}
