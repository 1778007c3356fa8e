/** Ends sessions in a sealed cookie. */
import type { CoreServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT } from "../../types.ts"
import { sealedRecords } from "../lazy-records.ts"
import { deleteSessionCookie, type EndedSession } from "../session-strategy.ts"
import { checkSession, getChecks, listTokens } from "./check-session.ts"
import { describeSession, entryLength, maxEntries, readEntries } from "./ended-sessions.ts"

/** See `SessionStrategy.endSession`. Ends all sessions that the browser sends. */
export async function endSession(
  services: CoreServices,
  context: SessionContext,
): Promise<EndedSession | undefined> {
  const check = await checkSession(services, context)
  if (check.kind === "none" || (check.kind === "invalid" && check.isForeign)) return undefined
  if (services.config.session.records)
    for (const each of getChecks(context)) await sealedRecords.endSealedSession(services, each)
  const tokens = listTokens(context)
  const isRepeated = tokens.length > 1 || check.kind === "expired"
  deleteSessionCookie(context, isRepeated ? listDomains(context.url.hostname) : [])
  await markEnded(services, context, tokens)
  return check.kind === "valid" ? { token: check.token } : undefined
}

/** Lists the domains that a cookie of a host may have, and undefined for the host alone. */
function listDomains(hostname: string): readonly (string | undefined)[] {
  const labels = /[a-z]$/i.test(hostname) ? hostname.split(".") : []
  const domains = labels.map((_, index) => labels.slice(index).join("."))
  return [undefined, ...domains.filter((domain) => domain.includes("."))]
}

/** Remembers in the browser that sessions have ended, as long as their cookies may last. */
export async function markEnded(
  { config, tokenHasher }: CoreServices,
  context: SessionContext,
  tokens: readonly JWT[],
): Promise<void> {
  if (tokens.length === 0) return
  const texts = tokens.map(describeSession)
  const hashes = await Promise.all(texts.map((text) => tokenHasher.hash("ended session", text)))
  const entries = [...hashes.map((hash) => hash.slice(0, entryLength)), ...readEntries(context)]
  const value = [...new Set(entries)].slice(0, maxEntries).join(".")
  const maxAge = Math.max(config.session.maxAge, config.jwt.maxAge)
  context.jar.set(context.cookieDefinitions.signedOut, value, { maxAge })
}
