/** Sessions in a sealed cookie. */
import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { encode, readToken } from "../crypto/jwt.ts"
import { JWTSessionError } from "../errors.ts"
import type { SessionContext } from "../http/action-request.ts"
import {
  keepChunkedCookieOnError,
  readChunkedCookie,
  writeChunkedCookie,
} from "../http/cookie-chunks.ts"
import { isObject } from "../objects.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"
import { sanitizeSession } from "./sanitize-session.ts"
import { deleteSessionCookie } from "./session-cookie.ts"
import type {
  EndedSession,
  SessionReadResult,
  SessionStrategy,
  SessionUpdate,
  ValidSession,
} from "./session-strategy.ts"

type Callbacks = ResolvedConfig["callbacks"]

interface ValidJwtSession extends ValidSession {
  readonly token: JWT
  /** The claims as they were read, to detect changes by a callback. */
  readonly plaintext: string
  readonly isRenewalDue: boolean
}

type JwtReadResult = ValidJwtSession | Exclude<SessionReadResult, ValidSession>

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
    const cached = this.#reads.get(context)
    if (cached) return cached
    const read = this.#readSession(context)
    this.#reads.set(context, read)
    return read
  }

  async revalidateSession(context: SessionContext): Promise<SessionReadResult> {
    const read = await this.readSession(context)
    if (read.kind !== "valid") return read
    try {
      const token = await this.#callJwtCallback(structuredClone(read.token), undefined)
      if (token === null) return { kind: "expired" }
      if (this.#serialize(token, read) !== read.plaintext)
        await this.#writeToken(context, token, true)
      return read
    } catch (cause) {
      return { kind: "unavailable", error: createSessionError(cause) }
    }
  }

  async startSession(context: SessionContext, signInResult: SignInResult): Promise<void> {
    const { user, account, profile, isNewUser } = signInResult
    const token = await this.#config.callbacks.jwt({
      token: {
        name: user.name ?? null,
        email: user.email ?? null,
        picture: user.image ?? null,
        // Some databases use numbers as ids.
        ...(user.id === undefined ? {} : { sub: String(user.id) }),
      },
      user,
      account,
      ...(profile ? { profile } : {}),
      ...(isNewUser === undefined ? {} : { isNewUser }),
      trigger: isNewUser ? "signUp" : "signIn",
    })
    if (token === null) deleteSessionCookie(context)
    else await this.#writeToken(context, assertClaims(token), false)
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const read = await this.readSession(context)
    if (read.kind === "none") return undefined
    deleteSessionCookie(context)
    return read.kind === "valid" ? { token: read.token } : undefined
  }

  async #readSession(context: SessionContext): Promise<JwtReadResult> {
    const { name } = context.cookieDefinitions.sessionToken
    const { secrets, decode } = this.#config.jwt
    const sealed = readChunkedCookie(context.cookies, name)
    if (sealed === undefined) return { kind: "none" }
    if (decode) return this.#decodeCustomToken(context, sealed, name)
    const read = await readToken(sealed, secrets, name)
    if (read.kind === "invalid") return { ...read, keepCookie: false }
    return this.#createSession(context, read.claims, read.plaintext, !read.usesFirstSecret)
  }

  /** Decodes a token with the application's own `jwt.decode`. */
  async #decodeCustomToken(
    context: SessionContext,
    token: string,
    salt: string,
  ): Promise<JwtReadResult> {
    try {
      const claims = await this.#config.jwt.decode?.({ ...this.#getCodecOptions(), token, salt })
      if (isObject(claims))
        return this.#createSession(context, claims, JSON.stringify(claims), false)
      return { kind: "invalid", reason: "`jwt.decode` does not accept it", keepCookie: false }
    } catch (cause) {
      this.#services.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause }))
      return { kind: "invalid", reason: "`jwt.decode` failed", keepCookie: true }
    }
  }

  #createSession(
    context: SessionContext,
    token: JWT,
    plaintext: string,
    usesOldSecret: boolean,
  ): ValidJwtSession {
    const { session, jwt } = this.#config
    const issuedAt = token.iat ?? (token.exp ?? 0) - jwt.maxAge
    const isOld = Math.floor(Date.now() / 1000) - issuedAt >= session.updateAge
    const validSession: ValidJwtSession = {
      kind: "valid",
      userId: token.sub ?? (typeof token.email === "string" ? token.email : ""),
      token,
      plaintext,
      isRenewalDue: isOld || usesOldSecret,
      toPublicSession: (update) => this.#toPublicSession(context, validSession, update),
    }
    return validSession
  }

  async #toPublicSession(
    context: SessionContext,
    validSession: ValidJwtSession,
    update: SessionUpdate,
  ): Promise<Session | null> {
    try {
      const token = await this.#callJwtCallback(validSession.token, update)
      if (token === null) {
        deleteSessionCookie(context)
        return null
      }
      const plaintext = this.#serialize(token, validSession)
      const isChanged = plaintext !== validSession.plaintext
      const isRenewed = update !== undefined || validSession.isRenewalDue || isChanged
      // The `session` callback may fail. Then an update is discarded, but another change of the token is kept.
      const writesFirst = isChanged && !update
      if (writesFirst) await this.#writeToken(context, token, true)
      const expires = this.#computeExpires(validSession.token, isRenewed)
      const session = await this.#callSessionCallback(token, expires, update)
      // The `session` callback may change the token, too.
      const needsWrite = writesFirst
        ? this.#serialize(token, validSession) !== plaintext
        : isRenewed
      if (needsWrite) await this.#writeToken(context, token, writesFirst)
      if (session !== null) await this.#services.emitEvent("session", { session, token })
      return session
    } catch (cause) {
      throw createSessionError(cause)
    }
  }

  async #callJwtCallback(token: JWT, update: SessionUpdate): Promise<JWT | null> {
    const { callbacks, customCallbacks } = this.#config
    if (!customCallbacks.has("jwt")) return token
    const updateParams = update
      ? ({ trigger: "update", session: update.data } as const)
      : { session: undefined }
    // The types of Auth.js describe a sign-in; there is no user when a session is read.
    const params = { token, ...updateParams } as Parameters<Callbacks["jwt"]>[0]
    const result = await callbacks.jwt(params)
    return result === null ? null : assertClaims(result)
  }

  async #callSessionCallback(
    token: JWT,
    expires: string,
    update: SessionUpdate,
  ): Promise<Session | null> {
    const { name = null, email = null, picture = null } = token
    const session = { user: { name, email, image: picture }, expires }
    const updateParams = update ? { newSession: update.data, trigger: "update" as const } : {}
    // The types of Auth.js describe both strategies; this one has no stored session and user.
    const params = { session, token, ...updateParams } as unknown
    const { callbacks } = this.#config
    return sanitizeSession(await callbacks.session(params as Parameters<Callbacks["session"]>[0]))
  }

  /** Serializes the claims after the `jwt` callback, if there is one that may have changed them. */
  #serialize(token: JWT, { plaintext }: ValidJwtSession): string {
    return this.#config.customCallbacks.has("jwt") ? JSON.stringify(token) : plaintext
  }

  /** @param keepOnError also sets the cookie if the request fails: the token may hold the only copy of a refresh token */
  async #writeToken(context: SessionContext, token: JWT, keepOnError: boolean): Promise<void> {
    const { jar, cookies, cookieDefinitions } = context
    const cookie = cookieDefinitions.sessionToken
    const { session, jwt } = this.#config
    const sealed = jwt.encode
      ? await jwt.encode({ ...this.#getCodecOptions(), token, salt: cookie.name })
      : await encode({ token, secret: jwt.secrets, salt: cookie.name, maxAge: jwt.maxAge })
    const expires = new Date(Date.now() + session.maxAge * 1000)
    writeChunkedCookie(jar, cookies, cookie, sealed, { expires })
    if (keepOnError) keepChunkedCookieOnError(jar, cookie)
  }

  #getCodecOptions() {
    const { configuredOptions, secrets, maxAge } = this.#config.jwt
    return { ...configuredOptions, secret: configuredOptions.secret ?? [...secrets], maxAge }
  }

  #computeExpires(token: JWT, isRenewed: boolean): string {
    // The cookie lives as long as the session, the token inside as long as the JWT.
    const lifetime = Math.min(this.#config.session.maxAge, this.#config.jwt.maxAge)
    const time = isRenewed || !token.exp ? Date.now() + lifetime * 1000 : token.exp * 1000
    return new Date(time).toISOString()
  }
}

/** A callback that returns nothing must not start a session without claims. */
function assertClaims(callbackResult: unknown): JWT {
  if (isObject(callbackResult)) return callbackResult
  throw new TypeError("The `jwt` callback must return the token, or null to end the session")
}

function createSessionError(cause: unknown): JWTSessionError {
  return new JWTSessionError("A callback failed, or the session could not be sealed.", { cause })
}
