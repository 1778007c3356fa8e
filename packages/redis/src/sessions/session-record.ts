/** A session is stored as its expiry in milliseconds since 1970, a space, and the id of its user. */
import { parseText, parseValue, toLookupText } from "@latchkey/adapter-kit"
import type { AdapterSession } from "@latchkey/core/adapters"

/** In characters. Longer tokens are never issued, and not sent to Redis. */
const maxTokenLength = 512

/** Serializes a session. */
export function sessionToText({ userId, expires }: Omit<AdapterSession, "sessionToken">): string {
  return `${expires.getTime()} ${userId}`
}

/** Parses a session. */
export function sessionFromText(sessionToken: string, record: string): AdapterSession {
  const end = record.indexOf(" ")
  return {
    sessionToken,
    userId: record.slice(end + 1),
    expires: new Date(Number(record.slice(0, end))),
  }
}

/** Returns the token to look a session up by; null if no session can have it. */
export function toSessionToken(value: unknown): string | null {
  return toLookupText(value, "Session.sessionToken", { maxLength: maxTokenLength })
}

/**
 * Checks the defined fields of a session.
 * @throws TypeError naming the field that cannot be stored
 */
export function parseSessionChanges({
  userId,
  expires,
}: Partial<AdapterSession>): Partial<AdapterSession> {
  return {
    ...(userId === undefined ? {} : { userId: parseText(userId, "Session.userId") }),
    ...(expires === undefined ? {} : { expires: parseValue("date", expires, "Session.expires") }),
  }
}

/**
 * Checks a complete session.
 * @throws TypeError naming the field that cannot be stored
 */
export function parseSession({ sessionToken, userId, expires }: AdapterSession): AdapterSession {
  return {
    sessionToken: parseText(sessionToken, "Session.sessionToken", { maxLength: maxTokenLength }),
    userId: parseText(userId, "Session.userId"),
    expires: parseValue("date", expires, "Session.expires"),
  }
}
