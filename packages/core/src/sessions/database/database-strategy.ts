/** Sessions in a database. The cookie carries their token. */
import type { AdapterSession, AdapterUser } from "../../adapters.ts"
import { parseStoredDate } from "../../config/adapter-store.ts"
import type { StoreServices } from "../../config/core-services.ts"
import { randomHex } from "../../crypto/random.ts"
import { SessionTokenError, SignOutError } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { isPlainObject } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { Session } from "../../types.ts"
import { callSessionCallback } from "../session-callback.ts"
import {
  addFactsToToken,
  createSessionFacts,
  getAbsoluteEnd,
  getLifetime,
  hasFactsInToken,
  isIdleLimited,
  readFactsOfToken,
  type SessionFacts,
} from "../session-facts.ts"
import {
  deleteSessionCookie,
  type EndedSession,
  hasSeveralUsers,
  listSessionCookieValues,
  readContinuedFacts,
  readFirstSession,
  type SessionCookieValue,
  type SessionReadResult,
  type SessionStrategy,
  type SessionUpdate,
} from "../session-strategy.ts"

/** Maximum length of a token in characters. */
const maxTokenLength = 4096
/**
 * Maximum number of tokens whose sessions a sign-in or sign-out ends. There are several only if a sub-domain set
 * others.
 */
const maxEndedTokens = 32

/** How far the clock of the server that renewed a session may be ahead, in milliseconds. */
const clockTolerance = 60_000
// Only applications that record sessions load it.
const loadRecords = () => import("../records/row-sessions.ts")
const readRecordedFacts = loadOnFirstCall(async () => (await loadRecords()).readRecordedFacts)

export class DatabaseStrategy implements SessionStrategy {
  readonly #services: StoreServices

  constructor(services: StoreServices) {
    this.#services = services
  }

  async getSessionBinding(context: SessionContext): Promise<string> {
    const tokens = listSessionTokens(context)
    let binding = tokens[0]?.value ?? ""
    if (tokens.length === 1) return binding
    // Of several, the one that is read.
    await readFirstSession(tokens, (token) => {
      binding = token.value
      return this.#readToken(context, token.value)
    })
    return binding
  }

  readSession(context: SessionContext): Promise<SessionReadResult> {
    return readFirstSession(listSessionTokens(context), this.#createReader(context))
  }

  hasSeveralUsers(context: SessionContext): Promise<boolean> {
    return hasSeveralUsers(listSessionTokens(context), this.#createReader(context))
  }

  #createReader(context: SessionContext) {
    return ({ value }: SessionCookieValue) => this.#readToken(context, value)
  }

  async #readToken(context: SessionContext, token: string): Promise<SessionReadResult> {
    if (!isStorable(token)) return { kind: "invalid", reason: "no session can have this token" }
    try {
      const stored = await this.#services.store.getSessionAndUser(token)
      // Without foreign keys, a database may keep the session of a user who was deleted.
      if (!stored || stored.session === null || (stored.session && !stored.user))
        return { kind: "invalid", reason: "no session has this token" }
      const { user } = stored
      const session = { ...stored.session, expires: parseStoredDate(stored.session.expires) }
      const remaining = session.expires.getTime() - Date.now()
      if (Number.isNaN(remaining)) throw new TypeError("`expires` of the stored session is no date")
      if (remaining <= 0) {
        await this.#deleteStaleSession(token)
        return { kind: "expired" }
      }
      const reading = this.#readFacts(token, user.id)
      const facts = reading instanceof Promise ? await reading : reading
      if (getAbsoluteEnd(this.#services.config, facts) <= Date.now()) {
        await this.#deleteStaleSession(token)
        return { kind: "expired" }
      }
      return {
        kind: "valid",
        userId: user.id,
        facts,
        toPublicSession: (update) => this.#toPublicSession(context, session, user, facts, update),
      }
    } catch (cause) {
      const error = new SessionTokenError("The session could not be looked up.", { cause })
      return { kind: "unavailable", error }
    }
  }

  revalidateSession(context: SessionContext): Promise<SessionReadResult> {
    return this.readSession(context)
  }

  async startSession(context: SessionContext, signInResult: SignInResult): Promise<void> {
    const { user, isAddedAccount } = signInResult
    if (user.id === undefined)
      throw new TypeError("A database session needs the id of a stored user")
    const oldTokens = listStorableTokens(context)
    const { config, store } = this.#services
    const continued = isAddedAccount ? await readContinuedFacts(this, context) : undefined
    const facts = createSessionFacts(signInResult, config, continued)
    const generated = await this.#generateToken()
    const { sessionToken, expires } = await store.createSession({
      sessionToken: hasFactsInToken(config) ? addFactsToToken(generated, facts) : generated,
      userId: user.id,
      expires: new Date(this.#computeEnd(facts)),
    })
    const storedExpires = parseStoredDate(expires)
    if (typeof sessionToken !== "string" || !(storedExpires.getTime() > 0))
      throw new TypeError("`createSession` must return the session")
    if (config.session.records) {
      const started = {
        context,
        signInResult,
        token: sessionToken,
        facts,
        expires: storedExpires,
        continuedId: continued?.id,
      }
      await (await loadRecords()).saveRowRecord(this.#services, started)
    }
    setSessionCookie(context, sessionToken, storedExpires, facts)
    await Promise.all(oldTokens.map((token) => this.#deleteStaleSession(token)))
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const tokens = listStorableTokens(context)
    try {
      const deleted = await Promise.all(tokens.map((token) => this.#endToken(context, token)))
      deleteSessionCookie(context)
      return tokens.length > 0 ? { session: deleted.find(Boolean) ?? null } : undefined
    } catch (cause) {
      throw new SignOutError("The session could not be deleted.", { cause })
    }
  }

  /** Deletes a session. Some adapters throw if there is none, as for a token that a sub-domain set. */
  async #endToken(context: SessionContext, token: string) {
    try {
      const deleted = await this.#services.store.deleteSession(token)
      if (this.#services.config.session.records)
        await (await loadRecords()).deleteRowRecord(this.#services, token)
      return deleted
    } catch (error) {
      if ((await this.#readToken(context, token)).kind === "invalid") return null
      throw error
    }
  }

  async #toPublicSession(
    context: SessionContext,
    session: AdapterSession,
    user: AdapterUser,
    facts: SessionFacts,
    update: SessionUpdate,
  ): Promise<Session | null> {
    const { config, emitEvent } = this.#services
    const { updateAge } = getLifetime(config, facts)
    // A session whose beginning is not known cannot be extended if there is an absolute limit.
    const end = this.#computeEnd(facts) || session.expires.getTime()
    const hasFormerName =
      context.cookies.get(context.cookieDefinitions.sessionToken.name) === undefined
    const extension = end - session.expires.getTime()
    const isTooLong = isIdleLimited(config, facts) && extension < -clockTolerance
    const isRenewalDue =
      updateAge === 0 || extension >= updateAge * 1000 || isTooLong || hasFormerName
    const { sessionToken } = session
    const isRenewed = isRenewalDue || update !== undefined
    if (isRenewed && !(await this.#renew(context, sessionToken, new Date(end), facts))) {
      deleteSessionCookie(context)
      return null
    }
    try {
      // Auth.js passes `expires` as a Date here, and as it was before the renewal.
      const call = (each: SessionUpdate) => {
        const params = { session: { ...session, user }, user }
        return callSessionCallback(config, params, each, context)
      }
      const hasCallback = config.customCallbacks.has("session")
      const hasUpdates = config.session.records && hasCallback
      const returned = hasUpdates
        ? await (await import("../records/stored-updates.ts")).callWithUpdates(
            this.#services,
            facts,
            update,
            call,
          )
        : await call(update)
      if (returned === null) return null
      // The default callback does not return the token, so there is nothing to remove.
      const publicSession = hasCallback ? hideToken(returned, sessionToken) : returned
      // The type describes the message of both strategies; this one has no `token`.
      const message = { session: publicSession } as Parameters<typeof emitEvent<"session">>[1]
      await emitEvent("session", message, context)
      return publicSession
    } catch (cause) {
      throw new SessionTokenError("A callback failed while the session was read.", { cause })
    }
  }

  /** Extends a session, unless the database fails. Returns false if a sign-out ended it meanwhile. */
  async #renew(
    context: SessionContext,
    sessionToken: string,
    expires: Date,
    facts: SessionFacts,
  ): Promise<boolean> {
    try {
      const updated = await this.#services.store.updateSession({ sessionToken, expires })
      // Some adapters return nothing, or null, although they extended the session.
      const read = (updated ?? null) === null && (await this.#readToken(context, sessionToken))
      if (read && read.kind === "unavailable") throw read.error
      if (read && read.kind !== "valid") return false
    } catch (error) {
      this.#services.logger.error(error)
      return true
    }
    setSessionCookie(context, sessionToken, expires, facts)
    return true
  }

  /** Deletes a row that is no longer needed. A database that hangs must not delay the cookie of the new session. */
  async #deleteStaleSession(token: string): Promise<void> {
    const { store, logger, config } = this.#services
    const message = "The old session was not deleted in time."
    const createTimeoutError = () => new SessionTokenError(message, { after: backgroundTimeout })
    const deleted = withTimeout(backgroundTimeout, store.deleteSession(token), createTimeoutError)
    await deleted.catch((error: unknown) => logger.error(error))
    if (config.session.records) await (await loadRecords()).deleteRowRecord(this.#services, token)
  }

  async #generateToken(): Promise<string> {
    const { session } = this.#services.config
    // Awaited although its type is synchronous, so that a rejection does not go unhandled.
    const token: unknown = await (session.generateSessionToken
      ? session.generateSessionToken()
      : randomHex())
    if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
    throw new TypeError("`session.generateSessionToken` must return text")
  }

  /** Returns when a session ends that is renewed now, in milliseconds since 1970; `NaN` if it must not be extended. */
  #computeEnd(facts: SessionFacts): number {
    const { config } = this.#services
    const idleEnd = Date.now() + getLifetime(config, facts).maxAge * 1000
    return Math.min(idleEnd, getAbsoluteEnd(config, facts))
  }

  /** Reads the facts in a token. The session has an id only if sessions are recorded. */
  #readFacts(token: string, userId: string): SessionFacts | Promise<SessionFacts> {
    const { config } = this.#services
    if (config.session.records) return readRecordedFacts(this.#services, token, userId)
    return hasFactsInToken(config) ? readFactsOfToken(token) : {}
  }
}

function listSessionTokens(context: SessionContext): readonly SessionCookieValue[] {
  return listSessionCookieValues(context, (cookies, name) => cookies.getAll(name))
}

/** Lists the tokens whose sessions end with the one of the browser. */
function listStorableTokens(context: SessionContext): readonly string[] {
  const tokens = listSessionTokens(context).slice(0, maxEndedTokens)
  return tokens.map(({ value }) => value).filter(isStorable)
}

/** Whether a database may have the token. Control characters make some databases fail. */
function isStorable(token: string): boolean {
  return token.length <= maxTokenLength && !/\p{Cc}/u.test(token)
}

function setSessionCookie(
  context: SessionContext,
  token: string,
  expires: Date,
  { isTemporary }: SessionFacts,
): void {
  deleteSessionCookie(context)
  // A browser deletes a cookie without an expiry when it is closed.
  const attributes = isTemporary ? {} : { expires }
  context.jar.set(context.cookieDefinitions.sessionToken, token, attributes)
}

/** Removes the token of a session wherever the callback has put it, because scripts could use it. */
const hideToken = (session: Session, token: string | undefined): Session =>
  token === undefined ? session : (omitText({ ...session }, token, new Set()) as Session)

/** Copies plain data without a text. Instances of classes are not copied. */
function omitText(value: unknown, text: string, path: Set<unknown>): unknown {
  // A cycle cannot become JSON, so it is not copied.
  if ((!Array.isArray(value) && !isPlainObject(value)) || path.has(value)) return value
  path.add(value)
  const copies = Object.entries(Array.isArray(value) ? [...value] : value)
    .filter(([, item]) => item !== text)
    .map(([name, item]) => [name, omitText(item, text, path)] as const)
  path.delete(value)
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}
