/** Sessions in a database. The cookie carries their token. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { SessionTokenError, SignOutError } from "../errors.ts"
import type { SessionContext } from "../http/action-request.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { Session } from "../types.ts"
import { sanitizeSession } from "./sanitize-session.ts"
import { deleteSessionCookie } from "./session-cookie.ts"
import type {
  EndedSession,
  SessionReadResult,
  SessionStrategy,
  SessionUpdate,
} from "./session-strategy.ts"

type SessionCallbackParams = Parameters<ResolvedConfig["callbacks"]["session"]>[0]

interface StoredSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly isRenewalDue: boolean
}

/** Maximum length of a token in characters. */
const maxTokenLength = 4096

const createTimeoutError = () =>
  new SessionTokenError("The old session was not deleted in time.", { after: backgroundTimeout })

export class DatabaseStrategy implements SessionStrategy {
  readonly #services: CoreServices
  readonly #store: AdapterStore

  constructor(services: CoreServices, store: AdapterStore) {
    this.#services = services
    this.#store = store
  }

  async getSessionBinding(context: SessionContext): Promise<string> {
    return getSessionToken(context) ?? ""
  }

  async readSession(context: SessionContext): Promise<SessionReadResult> {
    const token = getSessionToken(context)
    if (token === undefined) return { kind: "none" }
    if (token.length > maxTokenLength) {
      return { kind: "invalid", reason: "the token is too long", keepCookie: false }
    }
    try {
      const found = await this.#store.getSessionAndUser(token)
      // Without foreign keys, a database may keep the session of a user who was deleted.
      if (!found?.session || !found.user) {
        return { kind: "invalid", reason: "no session has this token", keepCookie: false }
      }
      const { session, user } = found
      const remaining = session.expires.getTime() - Date.now()
      if (Number.isNaN(remaining)) throw new TypeError("`expires` of the stored session is no date")
      if (remaining <= 0) {
        await this.#deleteStaleSession(token)
        return { kind: "expired" }
      }
      const { maxAge, updateAge } = this.#services.config.session
      const isRenewalDue = updateAge === 0 || remaining <= (maxAge - updateAge) * 1000
      const stored: StoredSession = { session, user, isRenewalDue }
      const toPublicSession = (update: SessionUpdate) =>
        this.#toPublicSession(context, stored, update)
      return { kind: "valid", userId: user.id, toPublicSession }
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
    const { sessionToken, expires } = await this.#store.createSession({
      sessionToken: this.#generateToken(),
      userId: user.id,
      expires: this.#computeExpires(),
    })
    context.jar.set(context.cookieDefinitions.sessionToken, sessionToken, { expires })
    if (oldToken !== undefined && oldToken.length <= maxTokenLength)
      await this.#deleteStaleSession(oldToken)
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const token = getSessionToken(context)
    if (token === undefined) return undefined
    try {
      const isStorable = token.length <= maxTokenLength
      const session = isStorable ? await this.#store.deleteSession(token) : undefined
      deleteSessionCookie(context)
      return isStorable ? { session: session ?? null } : undefined
    } catch (cause) {
      throw new SignOutError("The session could not be deleted.", { cause })
    }
  }

  async #toPublicSession(
    context: SessionContext,
    stored: StoredSession,
    update: SessionUpdate,
  ): Promise<Session | null> {
    const newExpires =
      stored.isRenewalDue || update ? await this.#renew(context, stored) : undefined
    if (newExpires === "deleted") {
      deleteSessionCookie(context)
      return null
    }
    const { config, emitEvent } = this.#services
    const { sessionToken, expires } = stored.session
    // Auth.js passes `expires` as a Date here, and as text only to the client.
    const session = { ...stored.session, expires: newExpires ?? expires, user: stored.user }
    const updateParams = update && { newSession: update.data, trigger: "update" as const }
    const params = { session, user: stored.user, ...updateParams } as unknown
    try {
      const result = await config.callbacks.session(params as SessionCallbackParams)
      // The default callback does not return the token, so there is nothing to remove.
      const publicSession = sanitizeSession(
        result,
        config.customCallbacks.has("session") ? sessionToken : undefined,
      )
      if (publicSession === null) return null
      // The type describes the message of both strategies; this one has no `token`.
      const message = { session: publicSession } as Parameters<typeof emitEvent<"session">>[1]
      await emitEvent("session", message)
      return publicSession
    } catch (cause) {
      throw new SessionTokenError("A callback failed while the session was read.", { cause })
    }
  }

  /** Extends a session. If the database fails, the session keeps its expiry. */
  async #renew(
    context: SessionContext,
    { session: { sessionToken } }: StoredSession,
  ): Promise<Date | "deleted" | undefined> {
    const expires = this.#computeExpires()
    try {
      const updated = await this.#store.updateSession({ sessionToken, expires })
      if (updated === null) return "deleted" // a sign-out meanwhile
    } catch (error) {
      this.#services.logger.error(error)
      return undefined
    }
    context.jar.set(context.cookieDefinitions.sessionToken, sessionToken, { expires })
    return expires
  }

  /** Deletes a row that is no longer needed. A database that hangs must not delay the cookie of the new session. */
  async #deleteStaleSession(token: string): Promise<void> {
    try {
      await withTimeout(backgroundTimeout, this.#store.deleteSession(token), createTimeoutError)
    } catch (error) {
      this.#services.logger.error(error)
    }
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

function getSessionToken({ cookies, cookieDefinitions }: SessionContext): string | undefined {
  return cookies.get(cookieDefinitions.sessionToken.name)
}
