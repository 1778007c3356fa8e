/**
 * The sessions that have ended in this browser, in their own cookie: a response that is late can bring the cookie of an
 * ended session back, and a cookie that was set with other attributes stays. The entries are keyed hashes.
 */
import type { Hasher } from "../../crypto/digest.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT } from "../../types.ts"
import { readSessionFacts } from "../session-facts.ts"

export const maxEntries = 4
/** 96 bits, as hex. */
export const entryLength = 24

type CookieContext = Pick<SessionContext, "cookies" | "cookieDefinitions">

/** Whether sessions have ended in this browser. */
export const hasEndedSessions = ({ cookies, cookieDefinitions }: CookieContext): boolean =>
  cookies.getAll(cookieDefinitions.signedOut.name).length > 0

/** Returns the entries of the cookie, whose first value may be somebody else's. */
export function readEntries({ cookies, cookieDefinitions }: CookieContext): readonly string[] {
  const values = cookies.getAll(cookieDefinitions.signedOut.name)
  const entries = values.flatMap((value) => value.split(".", maxEntries))
  return entries.filter((entry) => entry.length === entryLength)
}

/** Whether a session has ended in this browser. */
export async function isEndedSession(
  hasher: Hasher,
  context: CookieContext,
  token: JWT,
): Promise<boolean> {
  const entries = readEntries(context)
  const hashes = await hasher.hashWithEachSecret("ended session", describeSession(token))
  return hashes.some((hash) => entries.includes(hash.slice(0, entryLength)))
}

/** Describes a session by what all its tokens have: its id, or for tokens of Auth.js their user and first time. */
export function describeSession(token: JWT): string {
  const { sub, email, signedInAt, iat } = token
  return readSessionFacts(token).id ?? JSON.stringify([sub ?? email, signedInAt ?? iat])
}
