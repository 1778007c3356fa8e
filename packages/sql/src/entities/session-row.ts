import { readText } from "@latchkey/adapter-kit"
import type { AdapterSession } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { toLookupText } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDate, readId } from "../schema/read-column.ts"

/** Fields that a session is read from. */
export const sessionFields = ["sessionToken", "userId", "expires"] as const

/** Returns the token to look a session up by; null if no session can have it. */
export function toSessionToken(codecs: StoreCodecs, value: unknown): string | null {
  return toLookupText(codecs, value, "Session.sessionToken")
}

/** Reads a session. */
export function sessionFromRow(codecs: StoreCodecs, row: Row): AdapterSession {
  return {
    sessionToken: readText(row, "sessionToken"),
    userId: readId(row, "userId", codecs),
    expires: readDate(row, "expires", codecs),
  }
}
