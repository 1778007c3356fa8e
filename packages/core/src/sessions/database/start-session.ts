/** Starts sessions in a database. */
import { parseStoredDate } from "../../config/adapter-store.ts"
import type { StoreServices } from "../../config/core-services.ts"
import { randomHex } from "../../crypto/random.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { SignInResult } from "../../proven-identity.ts"
import { saveDatabaseRecord } from "../load-records.ts"
import {
  addFactsToToken,
  computeEnd,
  createSessionFacts,
  hasFactsInToken,
} from "../session-facts.ts"
import { checkSession } from "./check-session.ts"
import {
  endOldSession,
  listStorableTokens,
  maxTokenLength,
  setSessionCookie,
} from "./stored-session.ts"

/** See `SessionStrategy.startSession`. */
export async function startSession(
  services: StoreServices,
  context: SessionContext,
  signInResult: SignInResult,
): Promise<void> {
  const { config, store } = services
  const { user, isAddedAccount } = signInResult
  if (user.id === undefined) throw new TypeError("A database session needs the id of a stored user")
  const oldTokens = listStorableTokens(context)
  const old = isAddedAccount ? await checkSession(services, context) : undefined
  const continued = old && (old.kind === "valid" ? old.facts : {})
  const facts = createSessionFacts(signInResult, config, continued)
  const generated = await generateToken(services)
  const { sessionToken, expires } = await store.createSession({
    sessionToken: hasFactsInToken(config) ? addFactsToToken(generated, facts) : generated,
    userId: user.id,
    expires: new Date(computeEnd(config, facts)),
  })
  const storedExpires = parseStoredDate(expires)
  if (typeof sessionToken !== "string" || !(storedExpires.getTime() > 0))
    throw new TypeError("`createSession` must return the session")
  if (config.session.records) {
    const end = storedExpires.getTime()
    const session = { userId: String(user.id), facts, end, continuedId: continued?.id }
    await saveDatabaseRecord(services, context, signInResult, sessionToken, session)
  }
  setSessionCookie(context, sessionToken, storedExpires, facts)
  await Promise.all(oldTokens.map((token) => endOldSession(services, token)))
}

async function generateToken({ config: { session } }: StoreServices): Promise<string> {
  // Awaited although its type is synchronous, so that a rejection does not go unhandled.
  const token: unknown = await (session.generateSessionToken
    ? session.generateSessionToken()
    : randomHex())
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  throw new TypeError("`session.generateSessionToken` must return text")
}
