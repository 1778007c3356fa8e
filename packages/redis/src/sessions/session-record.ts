/** A session is kept as its expiry in milliseconds since 1970, a space, and the id of its user. */
import type { AdapterSession } from "@latchkey/core/adapters"
import { toKeyText, toLookupText, toMilliseconds } from "../values/encode-value.ts"

/** A longer token is no token of ours, and is not sent to Redis. In characters. */
const maxTokenLength = 512

/** Writes a session. */
export function sessionToText({ userId, expires }: Omit<AdapterSession, "sessionToken">): string {
  return `${expires.getTime()} ${userId}`
}

/** Reads a session. */
export function sessionFromText(sessionToken: string, record: string): AdapterSession {
  const end = record.indexOf(" ")
  return {
    sessionToken,
    userId: record.slice(end + 1),
    expires: new Date(Number(record.slice(0, end))),
  }
}

/** The token, or null when no session can have it. */
export function toSessionToken(value: unknown): string | null {
  const token = toLookupText(value, "Session.sessionToken")
  return token !== null && token.length <= maxTokenLength ? token : null
}

/**
 * The fields of a session that are given, checked.
 * @throws TypeError naming the field that cannot be stored
 */
export function parseSessionChanges({
  userId,
  expires,
}: Partial<AdapterSession>): Partial<AdapterSession> {
  return {
    ...(userId === undefined ? {} : { userId: toKeyText(userId, "Session.userId") }),
    ...(expires === undefined
      ? {}
      : { expires: new Date(toMilliseconds(expires, "Session.expires")) }),
  }
}

/**
 * A session with every field, checked.
 * @throws TypeError naming the field that cannot be stored
 */
export function parseSession(session: AdapterSession): AdapterSession {
  const sessionToken = toSessionToken(session.sessionToken)
  if (sessionToken === null) {
    throw new TypeError(
      `Session.sessionToken must be text of ${maxTokenLength} characters at most.`,
    )
  }
  return {
    sessionToken,
    userId: toKeyText(session.userId, "Session.userId"),
    expires: new Date(toMilliseconds(session.expires, "Session.expires")),
  }
}
