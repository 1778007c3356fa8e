import type { AdapterSession } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import { encodeValue, toLookupText } from "../schema/encode-value.ts"
import type { StoreCodecs } from "../schema/id-codecs.ts"
import { readDate, readId, readText } from "../schema/read-column.ts"

/** Names of all fields that a session is read from. */
export const sessionFields = ["sessionToken", "userId", "expires"] as const

/** The token that a session is looked up by; null when it is no token of ours. */
export function toSessionToken(codecs: StoreCodecs, value: unknown): string | null {
  return toLookupText(codecs, value, "Session.sessionToken")
}

/** Turns a session into columns. */
export function sessionToRow(
  codecs: StoreCodecs,
  session: Partial<AdapterSession>,
): Record<string, unknown> {
  return {
    sessionToken: encodeValue(codecs, "Session.sessionToken", "key", session.sessionToken),
    userId: encodeValue(codecs, "Session.userId", "id", session.userId),
    expires: encodeValue(codecs, "Session.expires", "date", session.expires),
  }
}

/** Reads a session. */
export function sessionFromRow(codecs: StoreCodecs, row: Row): AdapterSession {
  return {
    sessionToken: readText(row, "sessionToken"),
    userId: readId(row, "userId", codecs),
    expires: readDate(row, "expires", codecs),
  }
}
