/** Sessions in a sealed cookie. */
import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { encode, readToken, type TokenReadResult } from "../crypto/jwt.ts"
import { JWTSessionError } from "../errors.ts"
import { keepChunkedCookieOnError, writeChunkedCookie } from "../http/cookie-chunks.ts"
import type { SessionContext } from "../http/session-context.ts"
import { isObject, omitUndefined } from "../objects.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"
import { callSessionCallback } from "./session-callback.ts"
import {
  deleteSessionCookie,
  type EndedSession,
  listSessionCookieValues,
  type SessionReadResult,
  type SessionStrategy,
  type SessionUpdate,
  type ValidSession,
} from "./session-strategy.ts"

type JwtParams = Parameters<ResolvedConfig["callbacks"]["jwt"]>[0]

type ValidToken = Extract<TokenReadResult, { kind: "valid" }>

type DecodedToken = TokenReadResult & { readonly keepCookie?: boolean }

type JwtReadResult =
  | (ValidSession & { readonly token: JWT })
  | Exclude<SessionReadResult, ValidSession>

export class JwtStrategy implements SessionStrategy {
  readonly #services: CoreServices
  readonly #config: ResolvedConfig
  /** A request reads its session more than once: to check the CSRF token, and for the session itself. */
  readonly #reads = new WeakMap<SessionContext, Promise<JwtReadResult>>()

  constructor(services: CoreServices) {
    this.#services = services
    this.#config = services.config
  }

  async getSessionBinding(context: SessionContext): Promise<string> {
    const read = await this.readSession(context)
    return read.kind === "valid" ? read.userId : ""
  }

  readSession(context: SessionContext): Promise<JwtReadResult> {
    const read = this.#reads.get(context) ?? this.#readSession(context)
    this.#reads.set(context, read)
    return read
  }

  async #readSession(context: SessionContext): Promise<JwtReadResult> {
    let invalid: JwtReadResult = { kind: "none" }
    for (const { name, value } of listSessionCookieValues(context)) {
      const decoded = await this.#decodeToken(value, name)
      if (decoded.kind === "valid") return this.#createValidRead(context, decoded, name)
      if (invalid.kind === "none") invalid = decoded
    }
    return invalid
  }

  #createValidRead(context: SessionContext, decoded: ValidToken, name: string): JwtReadResult {
    const { claims: token, usesFirstSecret } = decoded
    const { session, jwt } = this.#config
    const issuedAt = token.iat ?? (token.exp ?? 0) - jwt.maxAge
    const isOld = Math.floor(Date.now() / 1000) - issuedAt >= session.updateAge
    const isFormerName = name !== context.cookieDefinitions.sessionToken.name
    const isRenewalDue = isOld || !usesFirstSecret || isFormerName
    return {
      kind: "valid",
      userId: token.sub ?? (typeof token.email === "string" ? token.email : ""),
      token,
      toPublicSession: (update) => this.#toPublicSession(context, token, update, isRenewalDue),
    }
  }

  /** Opens a token, or decodes it with the application's own `jwt.decode`. */
  async #decodeToken(token: string, salt: string): Promise<DecodedToken> {
    const { secrets, codec } = this.#config.jwt
    if (!codec.decode) return readToken(token, secrets, salt)
    try {
      const claims = await codec.decode({ ...codec, token, salt })
      if (!isObject(claims)) return { kind: "invalid", reason: "`jwt.decode` does not accept it" }
      return { kind: "valid", claims, usesFirstSecret: true }
    } catch (cause) {
      this.#services.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause }))
      return { kind: "invalid", reason: "`jwt.decode` failed", keepCookie: true }
    }
  }

  async revalidateSession(context: SessionContext): Promise<SessionReadResult> {
    const read = await this.readSession(context)
    if (read.kind !== "valid") return read
    try {
      const token = await this.#updateToken(structuredClone(read.token), undefined)
      if (token === null) return { kind: "expired" }
      if (this.#serialize(token) !== this.#serialize(read.token))
        await this.#writeToken(context, token, true)
      return read
    } catch (cause) {
      return { kind: "unavailable", error: createSessionError(cause) }
    }
  }

  async startSession(context: SessionContext, signInResult: SignInResult): Promise<void> {
    const { user, isNewUser } = signInResult
    const token = await this.#callJwtCallback({
      ...omitUndefined(signInResult),
      token: omitUndefined({
        name: user.name ?? null,
        email: user.email ?? null,
        picture: user.image ?? null,
        // Some databases use numbers as ids.
        sub: user.id === undefined ? undefined : String(user.id),
      }),
      trigger: isNewUser ? "signUp" : "signIn",
    })
    if (token === null) deleteSessionCookie(context)
    else await this.#writeToken(context, token, false)
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const read = await this.readSession(context)
    if (read.kind === "none") return undefined
    deleteSessionCookie(context)
    return read.kind === "valid" ? { token: read.token } : undefined
  }

  async #toPublicSession(
    context: SessionContext,
    oldToken: JWT,
    update: SessionUpdate,
    isRenewalDue: boolean,
  ): Promise<Session | null> {
    try {
      const oldClaims = this.#serialize(oldToken) // the callback may change the token itself
      const token = await this.#updateToken(oldToken, update)
      if (token === null) {
        deleteSessionCookie(context)
        return null
      }
      const claims = this.#serialize(token)
      const isChanged = claims !== oldClaims
      const isRenewed = update !== undefined || isRenewalDue || isChanged
      // The `session` callback may fail. Then an update is discarded, but another change of the token is kept.
      const writesFirst = isChanged && !update
      if (writesFirst) await this.#writeToken(context, token, true)
      const { name = null, email = null, picture: image = null } = token
      const expires = this.#computeExpires(isRenewed ? undefined : oldToken.exp)
      const params = { session: { user: { name, email, image }, expires }, token }
      const session = await callSessionCallback(this.#config, params, update)
      // The `session` callback may change the token, too.
      const needsWrite = writesFirst ? this.#serialize(token) !== claims : isRenewed
      if (needsWrite) await this.#writeToken(context, token, writesFirst)
      if (session !== null) await this.#services.emitEvent("session", { session, token })
      return session
    } catch (cause) {
      throw createSessionError(cause)
    }
  }

  /** Calls the `jwt` callback of the application, if there is one, for a token that was read. */
  async #updateToken(token: JWT, update: SessionUpdate): Promise<JWT | null> {
    if (!this.#config.customCallbacks.has("jwt")) return token
    const updateParams = update
      ? { trigger: "update", session: update.data }
      : { session: undefined }
    // The types of Auth.js describe a sign-in; there is no user when a session is read.
    return this.#callJwtCallback({ token, ...updateParams } as JwtParams)
  }

  /** A callback that returns nothing must not start a session without claims. */
  async #callJwtCallback(params: JwtParams): Promise<JWT | null> {
    const token = await this.#config.callbacks.jwt(params)
    if (token === null || isObject(token)) return token
    throw new TypeError("The `jwt` callback must return the token, or null to end the session")
  }

  /** Serializes the claims to detect changes. Only a `jwt` callback of the application can change them. */
  #serialize(token: JWT): string {
    return this.#config.customCallbacks.has("jwt") ? JSON.stringify(token) : ""
  }

  /** @param keepOnError also sets the cookie if the request fails: the token may hold the only copy of a refresh token */
  async #writeToken(context: SessionContext, token: JWT, keepOnError: boolean): Promise<void> {
    const { jar, cookies, cookieDefinitions } = context
    const cookie = cookieDefinitions.sessionToken
    const { session, jwt } = this.#config
    const sealed = jwt.codec.encode
      ? await jwt.codec.encode({ ...jwt.codec, token, salt: cookie.name })
      : await encode({ token, secret: jwt.secrets, salt: cookie.name, maxAge: jwt.maxAge })
    const expires = new Date(Date.now() + session.maxAge * 1000)
    writeChunkedCookie(jar, cookies, cookie, sealed, { expires })
    if (keepOnError) keepChunkedCookieOnError(jar, cookie)
  }

  #computeExpires(exp: number | undefined): string {
    // The cookie lives as long as the session, the token inside as long as the JWT.
    const lifetime = Math.min(this.#config.session.maxAge, this.#config.jwt.maxAge)
    return new Date(exp ? exp * 1000 : Date.now() + lifetime * 1000).toISOString()
  }
}

function createSessionError(cause: unknown): JWTSessionError {
  return new JWTSessionError("A callback failed, or the session could not be sealed.", { cause })
}
