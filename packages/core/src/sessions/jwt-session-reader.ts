/** Reads and renews sessions in a sealed cookie. */
import type { SessionServices } from "../config/core-services.ts"
import type { SessionConfig } from "../config/resolved-config.ts"
import { sealClaims } from "../crypto/jwe.ts"
import { getTokenKeys, readToken, type TokenReadResult } from "../crypto/jwt.ts"
import { memoize } from "../crypto/memoize.ts"
import { describeValue } from "../errors/describe-value.ts"
import { type AuthError, JWTSessionError, SessionTooLarge } from "../errors.ts"
import {
  keepChunkedCookieOnError,
  listChunkedValues,
  writeChunkedCookie,
} from "../http/cookie-chunks.ts"
import { addRequest } from "../http/request-view.ts"
import type { SessionContext } from "../http/session-context.ts"
import { isObject, isPlainObject, omitUndefined } from "../objects.ts"
import type { JWT, Session } from "../types.ts"
import { callSessionCallback } from "./session-callback.ts"
import {
  getAbsoluteEnd,
  getLifetime,
  isIdleLimited,
  keepFactsClaim,
  readSessionFacts,
  replaceFactsClaim,
  type SessionFacts,
  toFactsClaim,
} from "./session-facts.ts"
import {
  deleteSessionCookie,
  listSessionCookieValues,
  readFirstSession,
  type SessionCookieValue,
  type SessionReader,
  type SessionReadResult,
  type SessionUpdate,
  type ValidSession,
} from "./session-strategy.ts"
import { isSignedOut, readSignOutTime } from "./sign-out-time.ts"

export type JwtParams = Omit<Parameters<SessionConfig["callbacks"]["jwt"]>[0], "request">

type ValidToken = Extract<TokenReadResult, { kind: "valid" }>

/** The result of decoding. `cause` is what `jwt.decode` threw. */
type DecodedToken = TokenReadResult & { readonly keepCookie?: boolean; readonly cause?: unknown }

/** An update that server code stored for the session. */
type StoredUpdate = { readonly data: unknown; readonly version: number }

export type JwtReadResult = (
  | (ValidSession & { readonly token: JWT })
  | Exclude<SessionReadResult, ValidSession>
) & { readonly cause?: unknown }

/** Only applications that record sessions load it. Called without a promise of its own: it seldom has to wait. */
let checkToken: typeof import("./records/check-token.ts").checkToken | undefined

/** Reads sessions, and renews them. */
export class JwtSessionReader implements SessionReader {
  protected readonly services: SessionServices
  protected readonly config: SessionConfig
  readonly #getKeys = memoize((cookieName: string) =>
    getTokenKeys(this.config.jwt.secrets, cookieName),
  )

  constructor(services: SessionServices) {
    this.services = services
    this.config = services.config
  }

  readSession(context: SessionContext): Promise<JwtReadResult> {
    context.sessionRead ??= this.#readSession(context)
    return context.sessionRead as Promise<JwtReadResult> // only this method sets it
  }

  async #readSession(context: SessionContext): Promise<JwtReadResult> {
    const candidates = listSessionCookieValues(context, listChunkedValues)
    const read: JwtReadResult = await readFirstSession(candidates, this.createReader(context))
    if (read.cause !== undefined)
      this.services.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause: read.cause }))
    return read
  }

  protected createReader(
    context: SessionContext,
  ): (candidate: SessionCookieValue) => Promise<JwtReadResult> {
    return async ({ name, value }) => {
      const decoded = await this.#decodeToken(value, name)
      if (decoded.kind === "invalid") return decoded
      if (isSignedOut(decoded.claims, getSignOutTime(context))) return { kind: "expired" }
      const token = this.#addStart(decoded.claims)
      const facts = readSessionFacts(token)
      if (this.#isOver(decoded.claims, facts)) return { kind: "expired" }
      const isRenewalDue = this.#isRenewalDue(context, decoded, facts, name)
      if (!this.config.session.records)
        return this.#createValidRead(context, token, facts, isRenewalDue)
      checkToken ??= (await import("./records/check-token.ts")).checkToken
      const userId = getUserId(token)
      const computeEnd = () => this.computeEnd(token)
      const checking = checkToken(this.services, { token, facts, userId, computeEnd })
      const check = checking instanceof Promise ? await checking : checking
      if (check.kind !== "valid") return check
      const isWriteDue = isRenewalDue || check.isChanged
      return this.#createValidRead(context, check.token, check.facts, isWriteDue, check.updates)
    }
  }

  /** Adds when the session began, if a token does not say: those of Auth.js. The session is at least as old. */
  #addStart(claims: JWT): JWT {
    const { signedInAt } = claims
    return signedInAt === undefined ? { ...claims, signedInAt: this.#getIssueTime(claims) } : claims
  }

  #getIssueTime({ iat, exp = 0 }: JWT): number {
    return iat ?? exp - this.config.jwt.maxAge
  }

  /** Whether a limit ends a session whose token is still valid: options may have become stricter. */
  #isOver({ iat }: JWT, facts: SessionFacts): boolean {
    const { maxAge } = getLifetime(this.config, facts)
    // The own codec of an application may write no `iat`.
    const age = iat === undefined ? 0 : getCurrentSecond() - iat
    const isIdle = isIdleLimited(this.config, facts) && age >= maxAge
    const { session, jwt } = this.config
    // A revocation is kept as long as tokens may last, so that no token may outlast it.
    const isForgotten = Boolean(session.records) && age >= Math.max(session.maxAge, jwt.maxAge)
    return isIdle || isForgotten || getAbsoluteEnd(this.config, facts) <= Date.now()
  }

  #isRenewalDue(
    context: SessionContext,
    { claims, usesFirstSecret }: ValidToken,
    facts: SessionFacts,
    name: string,
  ): boolean {
    const age = getCurrentSecond() - this.#getIssueTime(claims)
    const isFormerName = name !== context.cookieDefinitions.sessionToken.name
    return age >= getLifetime(this.config, facts).updateAge || !usesFirstSecret || isFormerName
  }

  #createValidRead(
    context: SessionContext,
    token: JWT,
    facts: SessionFacts,
    isRenewalDue: boolean,
    updates: readonly StoredUpdate[] = [],
  ): JwtReadResult {
    return {
      kind: "valid",
      userId: getUserId(token),
      token,
      facts,
      toPublicSession: (update) =>
        this.#toPublicSession(context, token, update, isRenewalDue, updates),
    }
  }

  async #decodeToken(token: string, salt: string): Promise<DecodedToken> {
    const read = await this.#decodeOwnToken(token, salt)
    const { jwt, session } = this.config
    if (read.kind === "valid" || !session.accept.includes("next-auth@4")) return read
    const { readNextAuth4Token } = await import("./next-auth-4.ts")
    return (await readNextAuth4Token(token, jwt.secrets, session.maxAge)) ?? read
  }

  /** Opens a token, or decodes it with the application's own `jwt.decode`. */
  async #decodeOwnToken(token: string, salt: string): Promise<DecodedToken> {
    const { codec } = this.config.jwt
    if (!codec.decode) return readToken(token, await this.#getKeys(salt))
    try {
      const claims = await codec.decode({ ...codec, token, salt })
      const keepCookie = (claims ?? null) !== null // neither claims nor a refusal
      if (!isObject(claims))
        return { kind: "invalid", reason: "`jwt.decode` does not accept it", keepCookie }
      return { kind: "valid", claims, usesFirstSecret: true }
    } catch (cause) {
      return { kind: "invalid", reason: "`jwt.decode` failed", keepCookie: true, cause }
    }
  }

  async #toPublicSession(
    context: SessionContext,
    oldToken: JWT,
    clientUpdate: SessionUpdate,
    isRenewalDue: boolean,
    storedUpdates: readonly StoredUpdate[],
  ): Promise<Session | null> {
    try {
      const oldClaims = this.serialize(oldToken) // the callback may change the token itself
      const lastUpdate = storedUpdates.at(-1)
      const update = clientUpdate ?? lastUpdate
      const token = await (lastUpdate
        ? this.#applyUpdates(context, oldToken, clientUpdate, storedUpdates, lastUpdate.version)
        : this.updateToken(context, oldToken, clientUpdate))
      if (token === null) {
        deleteSessionCookie(context)
        return null
      }
      const claims = this.serialize(token)
      const isChanged = claims !== oldClaims
      const isRenewed = update !== undefined || isRenewalDue || isChanged
      // The `session` callback may fail. Then an update is discarded, but another change of the token is kept.
      const writesFirst = isChanged && !update
      if (writesFirst) await this.renewToken(context, token, true)
      const { name, email, picture: image } = token
      const expires = this.#computeExpires(token, isRenewed ? undefined : oldToken.exp)
      const params = { session: { user: omitUndefined({ name, email, image }), expires }, token }
      const session = await callSessionCallback(this.config, params, update, context)
      // The `session` callback may change the token, too.
      const needsWrite = writesFirst ? this.serialize(token) !== claims : isRenewed
      if (needsWrite && clientUpdate) await this.writeToken(context, token, false)
      else if (needsWrite) await this.renewToken(context, token, writesFirst)
      if (session !== null) await this.services.emitEvent("session", { session, token }, context)
      return session
    } catch (cause) {
      throw createSessionError(cause)
    }
  }

  /** Calls the `jwt` callback for each update, and remembers the version of the last stored one. */
  async #applyUpdates(
    context: SessionContext,
    oldToken: JWT,
    clientUpdate: SessionUpdate,
    storedUpdates: readonly StoredUpdate[],
    version: number,
  ): Promise<JWT | null> {
    const facts = { ...readSessionFacts(oldToken), updated: version }
    let token: JWT | null = { ...oldToken, ...toFactsClaim(facts) }
    for (const update of [...storedUpdates, ...(clientUpdate ? [clientUpdate] : [])])
      token = token && (await this.updateToken(context, token, update))
    return token
  }

  /** Calls the `jwt` callback of the application, if there is one, for a token that was read. */
  protected async updateToken(
    context: SessionContext,
    token: JWT,
    update: SessionUpdate,
  ): Promise<JWT | null> {
    if (!this.config.customCallbacks.has("jwt")) return token
    const updateParams = update
      ? { trigger: "update", session: update.data }
      : { session: undefined }
    // The types of Auth.js describe a sign-in; there is no user when a session is read.
    const params = { token, ...updateParams } as JwtParams
    return this.callJwtCallback(context, params, token.signedInAt)
  }

  /** A callback that returns nothing must not start a session without claims. */
  protected async callJwtCallback(
    context: SessionContext,
    params: JwtParams,
    signedInAt = 0,
    factsClaim: JWT = keepFactsClaim(params.token),
  ): Promise<JWT | null> {
    const { callbacks, customCallbacks } = this.config
    const token = customCallbacks.has("jwt")
      ? await callbacks.jwt(addRequest(params, context))
      : params.token
    if (token === null) return null
    // The claims are own properties, which a `Map`, a `Date` and some class instances lack.
    const hasClaims = isPlainObject(token) || (isObject(token) && Object.keys(token).length > 0)
    if (hasClaims) {
      const providerTokens = this.#getProviderTokens(params.token)
      return { ...providerTokens, ...replaceFactsClaim(token, factsClaim), signedInAt }
    }
    throw new TypeError("The `jwt` callback must return the token, or null to end the session")
  }

  /** Returns the claim with the tokens of providers: a callback that leaves it out must not lose them. */
  #getProviderTokens({ providerTokens }: JWT): JWT {
    return this.config.session.providerTokens && providerTokens ? { providerTokens } : {}
  }

  /** Serializes the claims to detect changes. Only a `jwt` callback of the application can change them. */
  protected serialize(token: JWT): string {
    return this.config.customCallbacks.has("jwt") ? JSON.stringify(token) : ""
  }

  /** Writes a token that was read. If it is too large, the session stays as it is until it expires. */
  protected async renewToken(
    context: SessionContext,
    token: JWT,
    keepOnError: boolean,
  ): Promise<void> {
    try {
      await this.writeToken(context, token, keepOnError)
    } catch (error) {
      if (!(error instanceof SessionTooLarge)) throw error
      this.services.logger.error(error)
    }
  }

  /**
   * @param keepOnError also sets the cookie if the request fails: the token may hold the only copy of a refresh token
   */
  protected async writeToken(
    context: SessionContext,
    token: JWT,
    keepOnError: boolean,
  ): Promise<void> {
    const { jar, cookies, cookieDefinitions } = context
    const cookie = cookieDefinitions.sessionToken
    const { jwt } = this.config
    const { isTemporary } = readSessionFacts(token)
    const { cookieMaxAge, tokenMaxAge } = this.#getMaxAges(token)
    const sealed: unknown = jwt.codec.encode
      ? await jwt.codec.encode({ ...jwt.codec, maxAge: tokenMaxAge, token, salt: cookie.name })
      : await sealClaims((await this.#getKeys(cookie.name))[0], token, tokenMaxAge)
    if (typeof sealed !== "string") throw new TypeError("`jwt.encode` must return text")
    // A browser deletes a cookie without an expiry when it is closed.
    const attributes = isTemporary ? {} : { expires: new Date(Date.now() + cookieMaxAge * 1000) }
    if (!writeChunkedCookie(jar, cookies, cookie, sealed, attributes)) {
      const received = describeLargestClaims(token)
      throw new SessionTooLarge({ expected: "a session of at most 12 KB", received })
    }
    if (keepOnError) keepChunkedCookieOnError(jar, cookie)
  }

  #computeExpires(token: JWT, exp: number | undefined): string {
    if (exp) return new Date(exp * 1000).toISOString()
    const { cookieMaxAge, tokenMaxAge } = this.#getMaxAges(token)
    return new Date(Date.now() + Math.min(cookieMaxAge, tokenMaxAge) * 1000).toISOString()
  }

  /** Returns when the last token ends that the session can have now, in milliseconds since 1970. */
  protected computeEnd(token: JWT): number {
    return Date.now() + this.#getMaxAges(token).tokenMaxAge * 1000
  }

  /** The cookie lives as long as the session, the token inside as long as the JWT. In seconds. */
  #getMaxAges(token: JWT): { readonly cookieMaxAge: number; readonly tokenMaxAge: number } {
    const facts = readSessionFacts(token)
    const { maxAge } = getLifetime(this.config, facts)
    const limit = Math.floor((getAbsoluteEnd(this.config, facts) - Date.now()) / 1000)
    const jwtMaxAge = this.config.jwt.maxAge
    const tokenMaxAge = facts.isTemporary ? Math.min(jwtMaxAge, maxAge) : jwtMaxAge
    return { cookieMaxAge: Math.min(maxAge, limit), tokenMaxAge: Math.min(tokenMaxAge, limit) }
  }
}

const getUserId = ({ sub, email }: JWT): string => sub ?? (typeof email === "string" ? email : "")

export const getCurrentSecond = (): number => Math.floor(Date.now() / 1000)

export function getSignOutTime({ cookies, cookieDefinitions }: SessionContext): number {
  return readSignOutTime(cookies, cookieDefinitions.signedOut)
}

/** Names the largest claims, with their sizes as JSON. Never their values. */
function describeLargestClaims(token: JWT): string {
  const claims = Object.entries(token).map(
    ([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const,
  )
  const largest = claims.sort((a, b) => b[1] - a[1]).slice(0, 3)
  return largest.map(([name, size]) => `${describeValue(name)} with ${size} characters`).join(", ")
}

export function createSessionError(cause: unknown): AuthError {
  if (cause instanceof SessionTooLarge) return cause
  return new JWTSessionError("The session check failed.", { cause })
}
