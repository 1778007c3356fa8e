/** Sessions, wherever they are kept. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { AuthError } from "../errors.ts"
import type { SessionContext } from "../http/action-request.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"

/** A session that may be relied on, with what its strategy knows of it. */
export type ValidSession =
  | {
      readonly kind: "valid"
      readonly strategy: "jwt"
      readonly token: JWT
      /** The claims as text, as they were read, to see whether a callback changed them. */
      readonly plaintext: string
      readonly isRenewalDue: boolean
    }
  | {
      readonly kind: "valid"
      readonly strategy: "database"
      readonly session: AdapterSession
      readonly user: AdapterUser
      readonly isRenewalDue: boolean
    }

/** What became of a session cookie. Only `valid` carries somebody: nothing else can be mistaken for it. */
export type SessionReadResult =
  | { readonly kind: "none" }
  | ValidSession
  | { readonly kind: "expired" }
  /** Altered, foreign, unknown. `keep`: it may be a fault of the application's codec, so the cookie stays. */
  | { readonly kind: "invalid"; readonly reason: string; readonly keepCookie: boolean }
  /** The store could not be asked, or a callback failed: nobody is let in, and nobody is signed out. */
  | { readonly kind: "unavailable"; readonly error: AuthError }

/** Data that a client sent to change its session; absent when it only asks for it. */
export type SessionUpdate = { readonly data: unknown } | undefined

/** What a sign-out ended, in the shape of the event. */
export type EndedSession =
  | { readonly session: AdapterSession | null | undefined }
  | { readonly token: JWT | null }

/** One strategy, two implementations: `jwt.ts` and `database.ts`. */
export interface SessionStrategy {
  /** Names the session of a visit, for binding other things to it; empty for nobody. */
  getSessionBinding(context: SessionContext): Promise<string>
  readSession(context: SessionContext): Promise<SessionReadResult>
  /**
   * Reads a session and asks the application whether it still stands, as an access does: a `jwt` callback may have
   * revoked it. For acts that outlive the session.
   */
  revalidateSession(context: SessionContext): Promise<SessionReadResult>
  /** The id of the user whose valid session it is. */
  getUserId(session: ValidSession): string | undefined
  /** Starts a session; the one that this browser had ends. Nothing ends when starting fails. */
  startSession(context: SessionContext, signInResult: SignInResult): Promise<void>
  /**
   * The session as it is given out, after the callbacks; renewed when due or updated. Null when the `jwt`
   * callback ended it, or the `session` callback gives none out.
   *
   * @throws JWTSessionError, SessionTokenError when a callback failed; the cookie stays
   */
  toPublicSession(
    context: SessionContext,
    session: ValidSession,
    update: SessionUpdate,
  ): Promise<Session | null>
  /**
   * Ends the session of a visit; undefined when there was none.
   *
   * @throws SignOutError when it could not be ended; it is then still valid, and so is its cookie
   */
  endSession(context: SessionContext): Promise<EndedSession | undefined>
  /** Deletes the cookies of a session. */
  clearCookies(context: SessionContext): void
}
