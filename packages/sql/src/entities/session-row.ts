import type { AdapterSession } from "@latchkey/core/adapters"
import type { Row } from "../engine.ts"
import type { StoreCodecs } from "../schema/ids.ts"
import { date, id, text } from "../schema/read.ts"
import { lookup, stored } from "../schema/stored.ts"

/** Names of all fields that a session is read from. */
export const sessionFields = ["sessionToken", "userId", "expires"] as const

/** The token that a session is looked up by; null when it is no token of ours. */
export function tokenOf(codecs: StoreCodecs, value: unknown): string | null {
  return lookup(codecs, value, "Session.sessionToken")
}

/** Turns a session into columns. */
export function sessionToRow(
  codecs: StoreCodecs,
  session: Partial<AdapterSession>,
): Record<string, unknown> {
  return {
    sessionToken: stored(codecs, "Session.sessionToken", "key", session.sessionToken),
    userId: stored(codecs, "Session.userId", "id", session.userId),
    expires: stored(codecs, "Session.expires", "date", session.expires),
  }
}

/** Reads a session. */
export function sessionFromRow(codecs: StoreCodecs, row: Row): AdapterSession {
  return {
    sessionToken: text(row, "sessionToken"),
    userId: id(row, "userId", codecs),
    expires: date(row, "expires", codecs),
  }
}
