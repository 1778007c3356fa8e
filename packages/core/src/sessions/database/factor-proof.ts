/**
 * When a session in a database has proven a second factor since it began. Its token cannot say so, because the database
 * finds only the whole token. So a cookie does, which counts for this session alone.
 */
import type { StoreServices } from "../../config/core-services.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { type CookieDefinition, createHostCookie } from "../../http/cookies.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { getLifetime, type SessionFacts } from "../session-facts.ts"

/** Maximum number of cookies that are read: there is one, unless a sub-domain has set others. */
const maxCookies = 4

const getCookie = ({ cookieDefinitions }: SessionContext): CookieDefinition =>
  createHostCookie(cookieDefinitions, "second-factor")

/** Sets the cookie for the session with a token. */
export async function saveFactorProof(
  { sealer, config }: StoreServices,
  context: SessionContext,
  token: string,
  facts: SessionFacts,
): Promise<void> {
  const { maxAge } = getLifetime(config, facts)
  const { factorTime, factorMethod } = facts
  const proof = { session: await sha256Base64Url(token), factorTime, factorMethod }
  const sealed = await sealer.seal("factor proof", proof, maxAge)
  // A browser deletes a cookie without an expiry when it is closed.
  context.jar.set(getCookie(context), sealed, facts.isTemporary ? {} : { maxAge })
}

/** Adds the time to the facts of the session with a token. */
export async function addFactorProof(
  { sealer }: StoreServices,
  context: SessionContext,
  token: string,
  facts: SessionFacts,
): Promise<SessionFacts> {
  const cookies = context.cookies.getAll(getCookie(context).name).slice(0, maxCookies)
  if (cookies.length === 0) return facts
  const session = await sha256Base64Url(token)
  for (const cookie of cookies) {
    const proof = await sealer.open("factor proof", cookie)
    if (proof?.["session"] !== session) continue
    const { factorTime, factorMethod } = proof as SessionFacts // sealed above
    return { ...facts, factorTime: Number(factorTime), factorMethod }
  }
  return facts
}
