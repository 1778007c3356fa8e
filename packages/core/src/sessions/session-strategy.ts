/** The interface of the two session strategies, and what both need. */
import type { AdapterSession } from "../adapters.ts"
import type { AuthError } from "../errors.ts"
import { deleteChunkedCookie } from "../http/cookie-chunks.ts"
import type { RequestCookies } from "../http/cookies.ts"
import type { SessionContext } from "../http/session-context.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"
import type { SessionFacts } from "./session-facts.ts"

export interface ValidSession {
  readonly kind: "valid"
  readonly userId: string
  /** The claims of a session in a cookie. */
  readonly token?: JWT
  readonly facts: SessionFacts
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

/** The part of a strategy that checks sessions. */
export interface SessionReader {
  readSession(context: SessionContext): Promise<SessionReadResult>
}

/** The part of a strategy that starts, changes and ends sessions. */
export interface SessionWriter {
  /**
   * Whether the cookies contain sessions of different users: a sub-domain may have planted the one that is read, so
   * reading it is all that is safe.
   *
   * @throws AuthError when one of them cannot be checked
   */
  hasSeveralUsers(context: SessionContext): Promise<boolean>
  /**
   * Reads the session and calls the `jwt` callback, which may have revoked it. For actions whose effect outlasts the
   * session.
   */
  revalidateSession(context: SessionContext): Promise<SessionReadResult>
  /** Starts a session and ends the one that the browser had. If starting fails, the old session stays. */
  startSession(context: SessionContext, signInResult: SignInResult): Promise<void>
  /** Replaces the claims of a session in a cookie, also if the request fails. Absent for sessions in a database. */
  replaceToken?(context: SessionContext, token: JWT): Promise<void>
  /**
   * Ends the session and returns it; undefined when there was none.
   *
   * @throws SignOutError when the session could not be deleted; it and its cookie are still valid
   */
  endSession(context: SessionContext): Promise<EndedSession | undefined>
}

export interface SessionStrategy extends SessionReader, SessionWriter {
  /** Returns a text that identifies the session, to bind other values to it; empty without a session. */
  getSessionBinding(context: SessionContext): Promise<string>
}

/** Maximum number of candidates that are read: several occur only if a sub-domain set some, or a session has chunks. */
const maxCandidates = 8
/** A candidate for the value of the session cookie, under a name that it has or had. */
export interface SessionCookieValue {
  readonly name: string
  readonly value: string
}

/** Lists the candidates, likeliest first. */
export function listSessionCookieValues(
  context: SessionContext,
  listValues: (cookies: RequestCookies, name: string) => readonly string[],
): readonly SessionCookieValue[] {
  return listSessionCookieNames(context).flatMap((name) =>
    listValues(context.cookies, name).map((value) => ({ name, value })),
  )
}

const unreadCandidates = {
  kind: "invalid",
  reason: "the cookie occurs too often",
  keepCookie: true,
} as const

/**
 * Reads candidates until one is valid, or cannot be checked. If none is, returns the first failure, or one that keeps
 * the cookie.
 */
export async function readFirstSession<Read extends SessionReadResult>(
  candidates: readonly SessionCookieValue[],
  readCandidate: (candidate: SessionCookieValue) => Promise<Read>,
): Promise<Read | { readonly kind: "none" } | typeof unreadCandidates> {
  let failure: Read | undefined
  for (const candidate of candidates.slice(0, maxCandidates)) {
    const read = await readCandidate(candidate)
    if (read.kind === "valid" || read.kind === "unavailable") return read
    if (!failure || (read.kind === "invalid" && read.keepCookie)) failure = read
  }
  return candidates.length > maxCandidates ? unreadCandidates : (failure ?? { kind: "none" })
}

/**
 * Whether candidates are sessions of different users, or too many to tell. @throws AuthError when one cannot be checked
 */
export async function hasSeveralUsers(
  candidates: readonly SessionCookieValue[],
  readCandidate: (candidate: SessionCookieValue) => Promise<SessionReadResult>,
): Promise<boolean> {
  if (candidates.length > maxCandidates) return true
  const users = new Set<unknown>()
  for (const candidate of candidates.length > 1 ? candidates : []) {
    const read = await readCandidate(candidate)
    if (read.kind === "unavailable") throw read.error
    if (read.kind === "valid") users.add(read.userId || candidate)
  }
  return users.size > 1
}

/** Returns the facts of the session that a sign-in continues, which adds an account to its user. */
export async function readContinuedFacts(
  reader: SessionReader,
  context: SessionContext,
): Promise<SessionFacts> {
  const read = await reader.readSession(context)
  return read.kind === "valid" ? read.facts : {}
}

/** Lists the names under which the session cookie is read. */
function listSessionCookieNames({ cookieDefinitions }: SessionContext): readonly string[] {
  const { name, formerNames = [] } = cookieDefinitions.sessionToken
  return [name, ...formerNames]
}

/** Deletes the session cookie with all its chunks, including those of a strategy that was configured before. */
export function deleteSessionCookie({ jar, cookies, cookieDefinitions }: SessionContext): void {
  deleteChunkedCookie(jar, cookies, cookieDefinitions.sessionToken)
}
