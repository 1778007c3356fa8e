/**
 * The sessions that have ended in this browser, in their own cookie: a response that is late can bring the cookie of an
 * ended session back, and a cookie that was set with other attributes stays. The entries are keyed hashes.
 */
import type { SessionServices } from "../../config/core-services.ts"
import type { Hasher } from "../../crypto/digest.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT } from "../../types.ts"
import { readSessionFacts } from "../session-facts.ts"

const maxEntries = 4
/** 96 bits, as hex. */
const entryLength = 24

/** Returns the entries of the cookie, whose first value may be somebody else's. */
function readEntries({
  cookies,
  cookieDefinitions,
}: Pick<SessionContext, "cookies" | "cookieDefinitions">): readonly string[] {
  const values = cookies.getAll(cookieDefinitions.signedOut.name)
  const entries = values.flatMap((value) => value.split(".", maxEntries))
  return entries.filter((entry) => entry.length === entryLength)
}

/** Whether a session has ended in this browser. */
export async function isEnded(
  hasher: Hasher,
  context: Pick<SessionContext, "cookies" | "cookieDefinitions">,
  token: JWT,
): Promise<boolean> {
  const entries = readEntries(context)
  const text = entries.length > 0 ? describeSession(token) : undefined
  if (text === undefined) return false
  const hashes = await hasher.hashWithEachSecret("ended session", text)
  return hashes.some((hash) => entries.includes(hash.slice(0, entryLength)))
}

/** Remembers in the browser that sessions have ended, as long as their cookies may last. */
export async function markEnded(
  { config, tokenHasher }: SessionServices,
  context: SessionContext,
  tokens: readonly JWT[],
): Promise<void> {
  const texts = tokens.flatMap((token) => describeSession(token) ?? [])
  if (texts.length === 0) return
  const hashes = await Promise.all(texts.map((text) => tokenHasher.hash("ended session", text)))
  const entries = [...hashes.map((hash) => hash.slice(0, entryLength)), ...readEntries(context)]
  const value = [...new Set(entries)].slice(0, maxEntries).join(".")
  const maxAge = Math.max(config.session.maxAge, config.jwt.maxAge)
  context.jar.set(context.cookieDefinitions.signedOut, value, { maxAge })
}

/**
 * Describes a session by what all its tokens have: its id, or for tokens of Auth.js their user and first time. Undefined
 * for codecs of applications that drop both.
 */
function describeSession(token: JWT): string | undefined {
  const { sub, email, signedInAt, iat } = token
  const { id } = readSessionFacts(token)
  const beganAt = signedInAt ?? iat
  return id ?? (beganAt === undefined ? undefined : JSON.stringify([sub ?? email ?? null, beganAt]))
}
