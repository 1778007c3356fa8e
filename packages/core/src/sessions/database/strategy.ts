/** Sessions in a database. The cookie carries their token. */
import { parseStoredDate } from "../../config/adapter-store.ts"
import type { StoreServices } from "../../config/core-services.ts"
import { randomHex } from "../../crypto/random.ts"
import { SessionTokenError, SignOutError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import type { SignInResult } from "../../proven-identity.ts"
import { databaseRecords } from "../lazy-records.ts"
import {
  addFactsToToken,
  computeEnd,
  createSessionFacts,
  getAbsoluteEnd,
  hasFactsInToken,
  readFactsOfToken,
} from "../session-facts.ts"
import {
  type CheckResult,
  type CookieCandidate,
  checkCandidates,
  deleteSessionCookie,
  type EndedSession,
  findValidCandidate,
  haveSeveralUsers,
  type SessionStrategy,
} from "../session-strategy.ts"
import {
  endOldSession,
  findStoredSession,
  isStorable,
  listSessionTokens,
  listStorableTokens,
  maxTokenLength,
  setSessionCookie,
  updateSession,
} from "./update-session.ts"

/** Loads with the option `secondFactor`. */
const factorProof = loadOnFirstCall(() => import("./factor-proof.ts"))

export function createDatabaseStrategy(services: StoreServices): SessionStrategy {
  return {
    checkSession: (context) => checkSession(services, context),
    hasSeveralUsers: (context) => hasSeveralUsers(services, context),
    revalidateSession: (context) => checkSession(services, context),
    getSessionBinding: (context) => getSessionBinding(services, context),
    startSession: (context, signInResult) => startSession(services, context, signInResult),
    async addFactor(context, factor) {
      const check = await checkSession(services, context)
      if (check.kind !== "valid") return
      const token = await getSessionBinding(services, context)
      await factorProof.saveFactorProof(services, context, token, { ...check.facts, ...factor })
    },
    endSession: (context) => endSession(services, context),
  }
}

/** Checks the session of a request. */
function checkSession(services: StoreServices, context: SessionContext): Promise<CheckResult> {
  return findValidCandidate(listSessionTokens(context), (each) =>
    checkToken(services, context, each),
  )
}

async function hasSeveralUsers(services: StoreServices, context: SessionContext): Promise<boolean> {
  const tokens = listSessionTokens(context)
  if (tokens.length < 2) return false
  return haveSeveralUsers(
    await checkCandidates(tokens, (each) => checkToken(services, context, each)),
  )
}

async function checkToken(
  services: StoreServices,
  context: SessionContext,
  { value: token }: CookieCandidate,
): Promise<CheckResult> {
  if (!isStorable(token)) return { kind: "invalid", reason: "no session can have this token" }
  const { config, store } = services
  try {
    const stored = await findStoredSession(store, token)
    if (!stored) return { kind: "invalid", reason: "no session has this token" }
    const { session, user } = stored
    // The session has an id only if sessions are recorded.
    const tokenFacts = hasFactsInToken(config) ? readFactsOfToken(token) : {}
    const end = session.expires.getTime()
    if (end <= Date.now() || getAbsoluteEnd(config, tokenFacts) <= Date.now()) {
      if (context.canSetCookies) await endOldSession(services, token)
      return { kind: "expired" }
    }
    const recorded = config.session.records
      ? await databaseRecords.readRecordedFacts(services, context, token, tokenFacts, user.id)
      : tokenFacts
    const facts = config.secondFactor
      ? await factorProof.addFactorProof(services, context, token, recorded)
      : recorded
    return {
      kind: "valid",
      userId: user.id,
      facts,
      toPublicSession: (update) => updateSession(services, context, stored, facts, update),
    }
  } catch (cause) {
    const error = new SessionTokenError(
      { summary: "The session could not be looked up." },
      { cause },
    )
    return { kind: "unavailable", error }
  }
}

/** See `SessionStrategy.startSession`. */
async function startSession(
  services: StoreServices,
  context: SessionContext,
  signInResult: SignInResult,
): Promise<string | undefined> {
  const { config, store } = services
  const { user, isAddedAccount } = signInResult
  if (user.id === undefined) throw new TypeError("A database session needs the id of a stored user")
  const oldTokens = listStorableTokens(context)
  const old = isAddedAccount ? await checkSession(services, context) : undefined
  const continued = old?.kind === "valid" ? old.facts : undefined
  // Adding an account does not extend a session that has ended meanwhile, or whose beginning is not known.
  if (old && !(continued && getAbsoluteEnd(config, continued))) return undefined
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
  let id: string | undefined
  if (config.session.records) {
    const end = storedExpires.getTime()
    const session = { userId: String(user.id), facts, end, continuedId: continued?.id }
    id = await databaseRecords.saveDatabaseRecord(
      services,
      context,
      signInResult,
      sessionToken,
      session,
    )
  }
  setSessionCookie(context, sessionToken, storedExpires, facts)
  await Promise.all(oldTokens.map((token) => endOldSession(services, token)))
  return id
}

async function generateToken({ config: { session } }: StoreServices): Promise<string> {
  // Awaited although its type is synchronous, so that a rejection does not go unhandled.
  const token: unknown = await (session.generateSessionToken
    ? session.generateSessionToken()
    : randomHex())
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  throw new TypeError("`session.generateSessionToken` must return text")
}

async function getSessionBinding(
  services: StoreServices,
  context: SessionContext,
): Promise<string> {
  const tokens = listSessionTokens(context)
  let binding = tokens[0]?.value ?? ""
  if (tokens.length < 2) return binding
  // Of several, the one that is read. If all of them have ended, forms of the one that was read remain valid.
  const check = await findValidCandidate(tokens, (each) => {
    binding = each.value
    return checkToken(services, context, each)
  })
  return check.kind === "valid" || check.kind === "unavailable" ? binding : ""
}

async function endSession(
  services: StoreServices,
  context: SessionContext,
): Promise<EndedSession | undefined> {
  const tokens = listStorableTokens(context)
  try {
    const deleted = await Promise.all(tokens.map((token) => deleteSession(services, token)))
    deleteSessionCookie(context)
    return tokens.length > 0 ? { session: deleted.find(Boolean) ?? null } : undefined
  } catch (cause) {
    throw new SignOutError({ summary: "The session could not be deleted." }, { cause })
  }
}

/** Deletes a session. Some adapters throw if there is none, as for a token that a sub-domain set. */
async function deleteSession(services: StoreServices, token: string) {
  const { store, config } = services
  try {
    const deleted = await store.deleteSession(token)
    if (config.session.records) await databaseRecords.deleteDatabaseRecord(services, token)
    return deleted
  } catch (error) {
    // If it cannot be looked up either, it may still be there.
    const mayExist = await findStoredSession(store, token).catch(() => true)
    if (mayExist) throw error
    return null
  }
}
