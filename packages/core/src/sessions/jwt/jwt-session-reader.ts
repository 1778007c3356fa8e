/** Reads sessions in a sealed cookie. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionConfig } from "../../config/resolved-config.ts"
import { readToken, type TokenReadResult } from "../../crypto/jwt.ts"
import { listChunkedValues } from "../../http/cookie-chunks.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import type { JWT, Session } from "../../types.ts"
import { callTokenSessionCallback } from "../session-callback.ts"
import {
  computeTokenEnd,
  getAbsoluteEnd,
  getLifetime,
  isIdleLimited,
  readSessionFacts,
  type SessionFacts,
} from "../session-facts.ts"
import {
  listSessionCookieValues,
  readFirstSession,
  type SessionCookieValue,
  type SessionReader,
  type SessionReadResult,
  type ValidSession,
} from "../session-strategy.ts"
import type { DecodedToken } from "./decode-with-codec.ts"
import { isSignedOut, readSignOutTime } from "./sign-out-time.ts"
import type { CheckedToken, StoredUpdate } from "./update-session.ts"

type ValidToken = Extract<TokenReadResult, { kind: "valid" }>

export type JwtReadResult = (
  | (ValidSession & { readonly token: JWT })
  | Exclude<SessionReadResult, ValidSession>
) & { readonly cause?: unknown }

/** Only applications that record sessions load it. Called without a promise of its own: it seldom has to wait. */
let checkToken: typeof import("../records/check-token.ts").checkToken | undefined

/** Only applications with their own codec load it. */
const decodeWithCodec = loadOnFirstCall(
  async () => (await import("./decode-with-codec.ts")).decodeWithCodec,
)

/** Few checks find a session that they have to write. */
const updateSession = loadOnFirstCall(
  async () => (await import("./update-session.ts")).updateSession,
)

export class JwtSessionReader implements SessionReader {
  readonly #services: SessionServices
  readonly #config: SessionConfig

  constructor(services: SessionServices) {
    this.#services = services
    this.#config = services.config
  }

  readSession(context: SessionContext): Promise<JwtReadResult> {
    context.sessionRead ??= this.#readSession(context)
    return context.sessionRead as Promise<JwtReadResult> // only this method sets it
  }

  async #readSession(context: SessionContext): Promise<JwtReadResult> {
    const candidates = listSessionCookieValues(context, listChunkedValues)
    const readCandidate = (candidate: SessionCookieValue) => this.readCandidate(context, candidate)
    const read: JwtReadResult = await readFirstSession(candidates, readCandidate)
    if (read.cause !== undefined) {
      const { createDecodeError } = await import("../session-failures.ts")
      this.#services.logger.error(createDecodeError(read.cause))
    }
    return read
  }

  /** Reads one of the values that the session cookie may have. */
  async readCandidate(
    context: SessionContext,
    { name, value }: SessionCookieValue,
  ): Promise<JwtReadResult> {
    const decoded = await this.#decodeToken(value, name)
    if (decoded.kind === "invalid") return decoded
    if (isSignedOut(decoded.claims, getSignOutTime(context))) return { kind: "expired" }
    const token = this.#addStart(decoded.claims)
    const facts = readSessionFacts(token)
    if (this.#isOver(decoded.claims, facts)) return { kind: "expired" }
    const isRenewalDue = this.#isRenewalDue(context, decoded, facts, name)
    if (!this.#config.session.records)
      return this.#createValidRead(context, token, facts, isRenewalDue)
    checkToken ??= (await import("../records/check-token.ts")).checkToken
    const userId = getUserId(token)
    const computeEnd = () => computeTokenEnd(this.#config, token)
    const { canSetCookies } = context
    const session = { token, facts, userId, computeEnd, canSetCookies }
    const checking = checkToken(this.#services, session)
    const check = checking instanceof Promise ? await checking : checking
    if (check.kind !== "valid") return check
    const isWriteDue = isRenewalDue || check.isChanged
    return this.#createValidRead(context, check.token, check.facts, isWriteDue, check.updates)
  }

  /** Adds when the session began, if a token does not say: those of Auth.js. The session is at least as old. */
  #addStart(claims: JWT): JWT {
    // The own codec of an application may return null.
    const signedInAt = claims.signedInAt ?? undefined
    return signedInAt === undefined ? { ...claims, signedInAt: this.#getIssueTime(claims) } : claims
  }

  #getIssueTime({ iat, exp = 0 }: JWT): number {
    return iat ?? exp - this.#config.jwt.maxAge
  }

  /** Whether a limit ends a session whose token is still valid: options may have become stricter. */
  #isOver({ iat }: JWT, facts: SessionFacts): boolean {
    const { maxAge } = getLifetime(this.#config, facts)
    // The own codec of an application may write no `iat`.
    const age = iat === undefined ? 0 : getCurrentSecond() - iat
    const isIdle = isIdleLimited(this.#config, facts) && age >= maxAge
    const { session, jwt } = this.#config
    // A revocation is kept as long as tokens may last, so that no token may outlast it.
    const isForgotten = Boolean(session.records) && age >= Math.max(session.maxAge, jwt.maxAge)
    return isIdle || isForgotten || getAbsoluteEnd(this.#config, facts) <= Date.now()
  }

  #isRenewalDue(
    context: SessionContext,
    { claims, usesFirstSecret }: ValidToken,
    facts: SessionFacts,
    name: string,
  ): boolean {
    const age = getCurrentSecond() - this.#getIssueTime(claims)
    const isFormerName = name !== context.cookieDefinitions.sessionToken.name
    return age >= getLifetime(this.#config, facts).updateAge || !usesFirstSecret || isFormerName
  }

  #createValidRead(
    context: SessionContext,
    token: JWT,
    facts: SessionFacts,
    isRenewalDue: boolean,
    storedUpdates: readonly StoredUpdate[] = [],
  ): JwtReadResult {
    const read: CheckedToken = { token, isRenewalDue, storedUpdates }
    return {
      kind: "valid",
      userId: getUserId(token),
      token,
      facts,
      toPublicSession: (update) =>
        update || this.#mayBeWritten(read)
          ? updateSession(this.#services, context, read, update)
          : this.#toPublicSession(context, token),
    }
  }

  /** Whether a session may have to be written although its client does not update it. */
  #mayBeWritten({ token, isRenewalDue, storedUpdates }: CheckedToken): boolean {
    const isUpdated = storedUpdates.length > 0 || this.#config.customCallbacks.has("jwt")
    // The own codec of an application may write no `exp`, from which the session gets its expiry.
    return isRenewalDue || isUpdated || !token.exp
  }

  /** Returns a session for the client that is not written. */
  async #toPublicSession(context: SessionContext, token: JWT): Promise<Session | null> {
    try {
      const expires = new Date(Number(token.exp) * 1000).toISOString()
      const session = await callTokenSessionCallback(this.#config, context, token, expires)
      if (session !== null) await this.#services.emitEvent("session", { session, token }, context)
      return session
    } catch (cause) {
      const { createSessionError } = await import("../session-failures.ts")
      throw createSessionError(cause)
    }
  }

  async #decodeToken(token: string, salt: string): Promise<DecodedToken> {
    const { jwt, session } = this.#config
    const read = await (jwt.codec.decode
      ? decodeWithCodec(jwt.codec, token, salt)
      : readToken(token, await this.#services.getTokenKeys(salt)))
    if (read.kind === "valid" || !session.accept.includes("next-auth@4")) return read
    const { readNextAuth4Token } = await import("./next-auth-4.ts")
    return (await readNextAuth4Token(token, jwt.secrets, session.maxAge)) ?? read
  }
}

const getUserId = ({ sub, email }: JWT): string => sub ?? (typeof email === "string" ? email : "")

export const getCurrentSecond = (): number => Math.floor(Date.now() / 1000)

export function getSignOutTime({ cookies, cookieDefinitions }: SessionContext): number {
  return readSignOutTime(cookies, cookieDefinitions.signedOut)
}
