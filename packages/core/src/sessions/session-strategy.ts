/** The interface of the two session strategies, and what both need. */
import type { AdapterSession } from "../adapters.ts"
import type { AuthError } from "../errors.ts"
import { deleteChunkedCookie, isCookieRepeated, listChunkedValues } from "../http/cookie-chunks.ts"
import type { SessionContext } from "../http/session-context.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"

export interface ValidSession {
  readonly kind: "valid"
  readonly userId: string
  /**
   * Returns the session as the client receives it, after the callbacks, and renews it if it is due or updated. Returns
   * null when the `jwt` callback ended it, or the `session` callback returned none.
   *
   * @throws JWTSessionError, SessionTokenError when a callback failed; the cookie stays
   */
  toPublicSession(update: SessionUpdate): Promise<Session | null>
}

/** The result of reading a session cookie. Only `valid` has a user. */
export type SessionReadResult =
  | ValidSession
  | { readonly kind: "none" }
  | { readonly kind: "expired" }
  /** Altered or unknown. The cookie stays if a fault of the application's own codec may be the reason. */
  | { readonly kind: "invalid"; readonly reason: string; readonly keepCookie?: boolean }
  /** The store or a callback failed: the user is neither signed in nor signed out. */
  | { readonly kind: "unavailable"; readonly error: AuthError }

/** Data with which a client updates its session; undefined when it only reads it. */
export type SessionUpdate = { readonly data: unknown } | undefined

/** The session that a sign-out ended, as the message of its event. */
export type EndedSession =
  | { readonly session: AdapterSession | null | undefined }
  | { readonly token: JWT | null }

export interface SessionStrategy {
  /** Returns a text that identifies the session, to bind other values to it; empty without a session. */
  getSessionBinding(context: SessionContext): Promise<string>
  readSession(context: SessionContext): Promise<SessionReadResult>
  /**
   * Reads the session and calls the `jwt` callback, which may have revoked it. For actions whose effect outlasts the
   * session.
   */
  revalidateSession(context: SessionContext): Promise<SessionReadResult>
  /** Starts a session and ends the one that the browser had. If starting fails, the old session stays. */
  startSession(context: SessionContext, signInResult: SignInResult): Promise<void>
  /**
   * Ends the session and returns it; undefined when there was none.
   *
   * @throws SignOutError when the session could not be deleted; it and its cookie are still valid
   */
  endSession(context: SessionContext): Promise<EndedSession | undefined>
}

/** A candidate for the value of the session cookie, under a name that it has or had. */
export interface SessionCookieValue {
  readonly name: string
  readonly value: string
}

/** Lists what the session cookie may contain, likeliest first. */
export function listSessionCookieValues(context: SessionContext): readonly SessionCookieValue[] {
  return listSessionCookieNames(context).flatMap((name) =>
    listChunkedValues(context.cookies, name).map((value) => ({ name, value })),
  )
}

/** Whether a sub-domain may have planted the session cookie beside the real one: reading it is all that is safe. */
export function isSessionCookieRepeated(context: SessionContext): boolean {
  return listSessionCookieNames(context).some((name) => isCookieRepeated(context.cookies, name))
}

/** Lists the names under which the session cookie is read. */
export function listSessionCookieNames({ cookieDefinitions }: SessionContext): readonly string[] {
  const { name, formerName } = cookieDefinitions.sessionToken
  return formerName === undefined ? [name] : [name, formerName]
}

/** Deletes the session cookie with all its chunks, including those of a strategy that was configured before. */
export function deleteSessionCookie({ jar, cookies, cookieDefinitions }: SessionContext): void {
  deleteChunkedCookie(jar, cookies, cookieDefinitions.sessionToken)
}
