import { parseAccountType, recordFields, toLookupText } from "@latchkey/adapter-kit"
import type { AccountKey, AdapterAccount } from "@latchkey/core/adapters"
import { type StoredRecord, toStoredRecord } from "../stored-record.ts"

/** Returns the field of the hash that an account is looked up by; null if no account can have it. */
export function toAccountField({ provider, providerAccountId }: AccountKey): string | null {
  const parts = [
    toLookupText(provider, "Account.provider"),
    toLookupText(providerAccountId, "Account.providerAccountId"),
  ]
  // JSON gives no two pairs the same name.
  return parts.includes(null) ? null : JSON.stringify(parts)
}

/** Encodes the defined fields of an account. Other fields of a token response are left out. */
export function accountToRecord(account: Partial<AdapterAccount>): StoredRecord {
  if (account.type !== undefined) parseAccountType(account.type)
  return toStoredRecord("Account", recordFields.Account, account)
}
