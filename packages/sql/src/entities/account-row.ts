import { parseAccount, recordFields } from "@latchkey/adapter-kit"
import type { AdapterAccount } from "@latchkey/core/adapters"
import type { JsonValue } from "@latchkey/core/types"
import type { Row } from "../engine.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { decodeJson, readId, readInteger } from "../schema/read-column.ts"

/** Fields that an account is read from. */
export const accountFields: readonly string[] = Object.keys(recordFields.Account)

/** Reads an account. Columns without a value are absent. */
export function accountFromRow(codecs: StoreCodecs, row: Row): AdapterAccount {
  const { expires_at: expiresAt = null, session_state: state = null } = row
  const account = parseAccount({
    ...row,
    userId: readId(row, "userId", codecs),
    expires_at: expiresAt === null ? null : readInteger(row, "expires_at"),
  })
  // The value may be a JSON null, which is not an absent one.
  if (state !== null) account["session_state"] = decodeJson(state) as JsonValue
  return account
}
