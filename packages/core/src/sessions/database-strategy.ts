/** Sessions in a database. The cookie carries their token. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import { SessionTokenError, SignOutError } from "../errors.ts"
import type { SessionContext } from "../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { Session } from "../types.ts"
import { callSessionCallback } from "./session-callback.ts"
import {
  deleteSessionCookie,
  type EndedSession,
  listSessionCookieNames,
  type SessionReadResult,
  type SessionStrategy,
  type SessionUpdate,
} from "./session-strategy.ts"

/** Maximum length of a token in characters. */
const maxTokenLength = 4096

export class DatabaseStrategy implements SessionStrategy {
  readonly #services: StoreServices

  constructor(services: StoreServices) {
    this.#services = services
  }

  async getSessionBinding(context: SessionContext): Promise<string> {
    return getSessionToken(context) ?? ""
  }

  async readSession(context: SessionContext): Promise<SessionReadResult> {
    const token = getSessionToken(context)
    if (token === undefined) return { kind: "none" }
    if (token.length > maxTokenLength) return { kind: "invalid", reason: "the token is too long" }
    try {
      const stored = await this.#services.store.getSessionAndUser(token)
      // Without foreign keys, a database may keep the session of a user who was deleted.
      if (!stored?.session || !stored.user)
        return { kind: "invalid", reason: "no session has this token" }
      const { session, user } = stored
      const remaining = session.expires.getTime() - Date.now()
      if (Number.isNaN(remaining)) throw new TypeError("`expires` of the stored session is no date")
      if (remaining <= 0) {
        await this.#deleteStaleSession(token)
        return { kind: "expired" }
      }
      return {
        kind: "valid",
        userId: user.id,
        toPublicSession: (update) => this.#toPublicSession(context, session, user, update),
      }
    } catch (cause) {
      const error = new SessionTokenError("The session could not be looked up.", { cause })
      return { kind: "unavailable", error }
    }
  }

  revalidateSession(context: SessionContext): Promise<SessionReadResult> {
    return this.readSession(context)
  }

  async startSession(context: SessionContext, { user }: SignInResult): Promise<void> {
    if (user.id === undefined)
      throw new TypeError("A database session needs the id of a stored user")
    const oldToken = getSessionToken(context)
    const { sessionToken, expires } = await this.#services.store.createSession({
      sessionToken: this.#generateToken(),
      userId: user.id,
      expires: this.#computeExpires(),
    })
    setSessionCookie(context, sessionToken, expires)
    if (oldToken !== undefined && oldToken.length <= maxTokenLength)
      await this.#deleteStaleSession(oldToken)
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const token = getSessionToken(context)
    if (token === undefined) return undefined
    try {
      const isStorable = token.length <= maxTokenLength
      const session = isStorable ? await this.#services.store.deleteSession(token) : undefined
      deleteSessionCookie(context)
      return isStorable ? { session: session ?? null } : undefined
    } catch (cause) {
      throw new SignOutError("The session could not be deleted.", { cause })
    }
  }

  async #toPublicSession(
    context: SessionContext,
    session: AdapterSession,
    user: AdapterUser,
    update: SessionUpdate,
  ): Promise<Session | null> {
    const { config, emitEvent } = this.#services
    const { maxAge, updateAge } = config.session
    const renewalTime = session.expires.getTime() - (maxAge - updateAge) * 1000
    const isRenewalDue =
      updateAge === 0 || renewalTime <= Date.now() || hasFormerSessionCookie(context)
    const expires = isRenewalDue || update ? await this.#renew(context, session) : session.expires
    if (expires === undefined) {
      deleteSessionCookie(context)
      return null
    }
    try {
      // Auth.js passes `expires` as a Date here, and as text only to the client.
      const params = { session: { ...session, expires, user }, user }
      const publicSession = await callSessionCallback(config, params, update)
      if (publicSession === null) return null
      // The type describes the message of both strategies; this one has no `token`.
      const message = { session: publicSession } as Parameters<typeof emitEvent<"session">>[1]
      await emitEvent("session", message)
      return publicSession
    } catch (cause) {
      throw new SessionTokenError("A callback failed while the session was read.", { cause })
    }
  }

  /**
   * Extends a session and returns its expiry; undefined if a sign-out ended it meanwhile. If the database fails, the
   * session keeps its expiry.
   */
  async #renew(
    context: SessionContext,
    { sessionToken, expires: oldExpires }: AdapterSession,
  ): Promise<Date | undefined> {
    const expires = this.#computeExpires()
    try {
      const updated = await this.#services.store.updateSession({ sessionToken, expires })
      if (updated === null) return undefined
    } catch (error) {
      this.#services.logger.error(error)
      return oldExpires
    }
    setSessionCookie(context, sessionToken, expires)
    return expires
  }

  /** Deletes a row that is no longer needed. A database that hangs must not delay the cookie of the new session. */
  async #deleteStaleSession(token: string): Promise<void> {
    const { store, logger } = this.#services
    const message = "The old session was not deleted in time."
    const createTimeoutError = () => new SessionTokenError(message, { after: backgroundTimeout })
    const deleted = withTimeout(backgroundTimeout, store.deleteSession(token), createTimeoutError)
    await deleted.catch((error: unknown) => logger.error(error))
  }

  #generateToken(): string {
    const token: unknown = this.#services.config.session.generateSessionToken()
    if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
    throw new TypeError("`session.generateSessionToken` must return text synchronously")
  }

  #computeExpires(): Date {
    return new Date(Date.now() + this.#services.config.session.maxAge * 1000)
  }
}

function getSessionToken(context: SessionContext): string | undefined {
  const values = listSessionCookieNames(context).map((name) => context.cookies.get(name))
  return values.find((value) => value !== undefined)
}

function hasFormerSessionCookie({ cookies, cookieDefinitions }: SessionContext): boolean {
  const { name, formerName } = cookieDefinitions.sessionToken
  return formerName !== undefined && cookies.get(name) === undefined
}

function setSessionCookie(context: SessionContext, token: string, expires: Date): void {
  deleteSessionCookie(context)
  context.jar.set(context.cookieDefinitions.sessionToken, token, { expires })
}
