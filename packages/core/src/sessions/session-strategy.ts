/** The interface of the two session strategies, and what both need. */
import type { AdapterSession } from "../adapters.ts"
import type { SessionServices } from "../config/core-services.ts"
import { type AuthError, JWTSessionError, SessionTokenError } from "../errors.ts"
import { deleteChunkedCookie } from "../http/cookie-chunks.ts"
import type { RequestCookies } from "../http/cookies.ts"
import type { SessionContext } from "../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
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
  toPublicSession(update: ClientUpdate): Promise<Session | null>
}

/** A session cookie that was altered, or is unknown. */
export interface InvalidSession {
  readonly kind: "invalid"
  readonly reason: string
  /** Whether the cookie stays, because an error of the application's own codec may be the reason. */
  readonly keepCookie?: boolean
  /** Whether it was sealed under another secret. It stays, because it may be the session of another application. */
  readonly isForeign?: boolean
  /** The error of the codec. */
  readonly error?: AuthError
}

/** The result of checking a session cookie. Only `valid` has a user. */
export type CheckResult =
  | ValidSession
  | { readonly kind: "none" }
  | { readonly kind: "expired" }
  | InvalidSession
  /** The store or a callback failed: the user is neither signed in nor signed out. */
  | { readonly kind: "unavailable"; readonly error: AuthError }

/** Data with which a client updates its session; undefined when it only reads it. */
export type ClientUpdate = { readonly data: unknown } | undefined

/** The session that a sign-out ended, as the message of its event. */
export type EndedSession =
  | { readonly session: AdapterSession | null | undefined }
  | { readonly token: JWT | null }

/** A second factor that was proven. */
export type ProvenFactor = Pick<SessionFacts, "factorTime" | "factorMethod">

export interface SessionStrategy {
  checkSession(context: SessionContext): Promise<CheckResult>
  /**
   * Whether the cookies contain sessions of different users: a sub-domain may have set the one that is read, so reading
   * it is all that is safe.
   *
   * @throws AuthError when one of them cannot be checked
   */
  hasSeveralUsers(context: SessionContext): Promise<boolean>
  /**
   * Checks the session and calls the `jwt` callback, which may have revoked it. For actions whose effect outlasts the
   * session.
   */
  revalidateSession(context: SessionContext): Promise<CheckResult>
  /** Returns a text that identifies the session, to bind other values to it; empty without a session. */
  getSessionBinding(context: SessionContext): Promise<string>
  /**
   * Starts a session and ends the one that the browser had. If starting fails, the old session stays. Returns its id, if it
   * has one.
   */
  startSession(context: SessionContext, signInResult: SignInResult): Promise<string | undefined>
  /** Replaces the claims of a session in a cookie, also if the request fails. Absent for sessions in a database. */
  replaceToken?(context: SessionContext, token: JWT): Promise<void>
  /**
   * Records that the user of the session has proven a second factor, at a time in seconds since 1970. The session stays the
   * same. Only with `secondFactor`.
   */
  addFactor(context: SessionContext, factor: ProvenFactor): Promise<void>
  /**
   * Ends the session and returns it; undefined when there was none.
   *
   * @throws SignOutError when the session could not be deleted; it and its cookie are still valid
   */
  endSession(context: SessionContext): Promise<EndedSession | undefined>
}

/** Maximum number of candidates that are checked: several occur only if a sub-domain set some, or a session has chunks. */
const maxCandidates = 8
/** A candidate for the value of the session cookie, under a name that it has or had. */
export interface CookieCandidate {
  readonly name: string
  readonly value: string
}

/** Lists the candidates, likeliest first. */
export function listCandidates(
  { cookies, cookieDefinitions }: SessionContext,
  listValues: (cookies: RequestCookies, name: string) => readonly string[],
): readonly CookieCandidate[] {
  const { name: currentName, formerNames = [] } = cookieDefinitions.sessionToken
  return [currentName, ...formerNames].flatMap((name) =>
    listValues(cookies, name).map((value) => ({ name, value })),
  )
}

const uncheckedCandidates: InvalidSession = {
  kind: "invalid",
  reason: "the cookie occurs too often",
  keepCookie: true,
}

/** Checks every candidate, as far as there are not too many. */
export async function checkCandidates<Result extends CheckResult>(
  candidates: readonly CookieCandidate[],
  check: (candidate: CookieCandidate) => Promise<Result>,
): Promise<readonly (Result | InvalidSession)[]> {
  const results: (Result | InvalidSession)[] = []
  for (const candidate of candidates.slice(0, maxCandidates)) results.push(await check(candidate))
  if (candidates.length > maxCandidates) results.push(uncheckedCandidates)
  return results
}

/** Checks candidates until one is valid, or cannot be checked. If none is, returns the first result. */
export async function findValidCandidate<Result extends CheckResult>(
  candidates: readonly CookieCandidate[],
  check: (candidate: CookieCandidate) => Promise<Result>,
): Promise<Result | { readonly kind: "none" } | InvalidSession> {
  let refused: Result | undefined
  for (const candidate of candidates.slice(0, maxCandidates)) {
    const result = await check(candidate)
    if (result.kind === "valid" || result.kind === "unavailable") return result
    refused ??= result
  }
  return candidates.length > maxCandidates ? uncheckedCandidates : (refused ?? { kind: "none" })
}

/**
 * Whether the results of `checkCandidates` are sessions of different users, or the candidates were too many to tell.
 *
 * @throws AuthError when one could not be checked
 */
export function haveSeveralUsers(results: readonly CheckResult[]): boolean {
  const users = new Set<unknown>()
  for (const result of results) {
    if (result.kind === "unavailable") throw result.error
    if (result.kind === "valid") users.add(result.userId || result)
  }
  return users.size > 1 || results.includes(uncheckedCandidates)
}

/**
 * Deletes the session cookie with all its chunks, including those of a strategy that was configured before.
 *
 * @param domains of cookies that are deleted, too; undefined for one without a domain
 */
export function deleteSessionCookie(
  { jar, cookies, cookieDefinitions }: SessionContext,
  domains?: readonly (string | undefined)[],
): void {
  deleteChunkedCookie(jar, cookies, cookieDefinitions.sessionToken, domains)
}

/** Waits until a session that is not used, or its record, has been deleted. A store that hangs must not delay the response. */
export async function waitForCleanup(
  { logger, config }: SessionServices,
  deletion: Promise<unknown>,
): Promise<void> {
  const CheckError = config.session.strategy === "jwt" ? JWTSessionError : SessionTokenError
  const message = "A session was not deleted in time."
  const createError = () => new CheckError(message, { after: backgroundTimeout })
  await withTimeout(backgroundTimeout, deletion, createError).catch((error: unknown) =>
    logger.error(error),
  )
}
