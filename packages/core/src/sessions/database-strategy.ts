/** Sessions that live in a database; the cookie holds their token. */

import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { SessionTokenError, SignOutError } from "../errors.ts"
import type { SessionContext } from "../http/action-request.ts"
import { deleteChunkedCookie } from "../http/cookie-chunks.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { Session } from "../types.ts"
import { sanitizeSession } from "./sanitize-session.ts"
import type {
  EndedSession,
  SessionReadResult,
  SessionStrategy,
  SessionUpdate,
  ValidSession,
} from "./session-strategy.ts"

type DatabaseServices = CoreServices & {
  readonly store: AdapterStore
}

type SessionCallbackParams = Parameters<ResolvedConfig["callbacks"]["session"]>[0]
type ValidDatabaseSession = Extract<ValidSession, { strategy: "database" }>

/** Longest token that is looked up, in characters. */
const maxTokenLength = 4096

export function createDatabaseStrategy(services: DatabaseServices): SessionStrategy {
  return {
    readSession: (context) => readSession(context, services),
    revalidateSession: (context) => readSession(context, services),
    async getSessionBinding(context) {
      return getSessionToken(context) ?? ""
    },
    getUserId: (session) => (session.strategy === "database" ? session.user.id : undefined),
    startSession: (context, signInResult) => startSession(context, signInResult, services),
    toPublicSession: (context, session, update) =>
      session.strategy === "database"
        ? toPublicSession(context, session, update, services)
        : Promise.resolve(null),
    endSession: (context) => endSession(context, services),
    clearCookies,
  }
}

function getSessionToken(context: SessionContext): string | undefined {
  return context.cookies.get(context.cookieDefinitions.sessionToken.name)
}

/** Deletes the chunks of a sealed session too, which the strategy before this one may have left. */
function clearCookies(context: SessionContext): void {
  deleteChunkedCookie(context.jar, context.cookies, context.cookieDefinitions.sessionToken)
}

async function readSession(
  context: SessionContext,
  services: DatabaseServices,
): Promise<SessionReadResult> {
  const token = getSessionToken(context)
  if (token === undefined) return { kind: "none" }
  if (token.length > maxTokenLength) {
    return { kind: "invalid", reason: "the token is too long", keepCookie: false }
  }
  try {
    const found = await services.store.getSessionAndUser(token)
    // A database without foreign keys may keep the session of a user who is gone: it is nobody's.
    if (!found?.session || !found.user) {
      return { kind: "invalid", reason: "no session has this token", keepCookie: false }
    }
    const { session, user } = found
    const remaining = session.expires.getTime() - Date.now()
    if (Number.isNaN(remaining)) throw new TypeError("`expires` of the stored session is no date")
    if (remaining <= 0) {
      await deleteStaleSession(token, services)
      return { kind: "expired" }
    }
    const { maxAge, updateAge } = services.config.session
    const due = updateAge === 0 || remaining <= (maxAge - updateAge) * 1000
    return { kind: "valid", strategy: "database", session, user, isRenewalDue: due }
  } catch (cause) {
    const error = new SessionTokenError("The session could not be looked up.", { cause })
    return { kind: "unavailable", error }
  }
}

/**
 * Removes a row that nobody needs any more; that it stays would be untidy, not unsafe. A database that hangs here must
 * not keep back the cookie of the session that took its place.
 */
async function deleteStaleSession(token: string, services: DatabaseServices): Promise<void> {
  try {
    await withTimeout(backgroundTimeout, services.store.deleteSession(token), createTimeoutError)
  } catch (error) {
    services.logger.error(error)
  }
}

async function startSession(
  context: SessionContext,
  signInResult: SignInResult,
  services: DatabaseServices,
): Promise<void> {
  const userId = signInResult.user.id
  if (userId === undefined) throw new TypeError("A database session needs the id of a stored user")
  const oldToken = getSessionToken(context)
  const session = await services.store.createSession({
    sessionToken: generateToken(services),
    userId,
    expires: computeExpires(services),
  })
  const { sessionToken, expires } = session
  context.jar.set(context.cookieDefinitions.sessionToken, sessionToken, { expires })
  if (oldToken !== undefined && oldToken.length <= maxTokenLength)
    await deleteStaleSession(oldToken, services)
}

const createTimeoutError = () =>
  new SessionTokenError("The old session was not deleted in time.", { after: backgroundTimeout })

function generateToken(services: DatabaseServices): string {
  const token: unknown = services.config.session.generateSessionToken()
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  throw new TypeError("`session.generateSessionToken` must return text, and not later but at once")
}

function computeExpires(services: DatabaseServices): Date {
  return new Date(Date.now() + services.config.session.maxAge * 1000)
}

async function toPublicSession(
  context: SessionContext,
  validSession: ValidDatabaseSession,
  update: SessionUpdate,
  services: DatabaseServices,
): Promise<Session | null> {
  const newExpires =
    validSession.isRenewalDue || update
      ? await renewSession(context, validSession, services)
      : undefined
  if (newExpires === "gone") {
    clearCookies(context)
    return null
  }
  const expires = newExpires ?? validSession.session.expires
  try {
    const callbackResult = await services.config.callbacks.session(
      createCallbackParams(validSession, expires, update),
    )
    // Ours gives no token out, so there is nothing to look for.
    const session = services.config.customCallbacks.has("session")
      ? sanitizeSession(callbackResult, validSession.session.sessionToken)
      : sanitizeSession(callbackResult)
    if (session === null) return null
    // Strategy `database` has no token: the declared message is that of both strategies.
    await services.emitEvent("session", { session } as Parameters<
      typeof services.emitEvent<"session">
    >[1])
    return session
  } catch (cause) {
    throw new SessionTokenError("A callback failed while the session was checked.", { cause })
  }
}

/** Extends a session. When that fails it is still the session it was; a sign-out meanwhile ended it. */
async function renewSession(
  context: SessionContext,
  validSession: ValidDatabaseSession,
  services: DatabaseServices,
): Promise<Date | "gone" | undefined> {
  const { sessionToken } = validSession.session
  const expires = computeExpires(services)
  try {
    const updated = await services.store.updateSession({ sessionToken, expires })
    if (updated === null) return "gone"
  } catch (error) {
    services.logger.error(error)
    return undefined
  }
  context.jar.set(context.cookieDefinitions.sessionToken, sessionToken, { expires })
  return expires
}

/** What the `session` callback gets. */
function createCallbackParams(
  { session: storedSession, user }: ValidDatabaseSession,
  expires: Date,
  update: SessionUpdate,
) {
  const updateParams = update && { newSession: update.data, trigger: "update" as const }
  // `expires` is a Date here, as in the contract; it becomes text when the answer is written.
  const session = { ...storedSession, expires, user }
  return { session, user, ...updateParams } as unknown as SessionCallbackParams
}

async function endSession(
  context: SessionContext,
  services: DatabaseServices,
): Promise<EndedSession | undefined> {
  const token = getSessionToken(context)
  if (token === undefined) return undefined
  if (token.length > maxTokenLength) {
    clearCookies(context)
    return undefined
  }
  try {
    const session = await services.store.deleteSession(token)
    clearCookies(context)
    return { session: session ?? null }
  } catch (cause) {
    throw new SignOutError("The session could not be deleted.", { cause })
  }
}
