/** Sessions that live in a sealed cookie. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { encode, readToken } from "../crypto/jwt.ts"
import { JWTSessionError } from "../errors.ts"
import type { SessionContext } from "../http/action-request.ts"
import {
  deleteChunkedCookie,
  keepChunkedCookieOnError,
  readChunkedCookie,
  writeChunkedCookie,
} from "../http/cookie-chunks.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"
import { sanitizeSession } from "./sanitize-session.ts"
import type {
  EndedSession,
  SessionReadResult,
  SessionStrategy,
  SessionUpdate,
  ValidSession,
} from "./session-strategy.ts"

type ValidJwtSession = Extract<ValidSession, { strategy: "jwt" }>

export function createJwtStrategy(services: CoreServices): SessionStrategy {
  const { config } = services
  // A request asks more than once: for the binding of a form, and for the session itself.
  const reads = new WeakMap<SessionContext, Promise<SessionReadResult>>()
  const strategy: SessionStrategy = {
    readSession(context) {
      const cached = reads.get(context)
      if (cached) return cached
      const read = readSession(context, services)
      reads.set(context, read)
      return read
    },
    async revalidateSession(context) {
      const read = await strategy.readSession(context)
      if (read.kind !== "valid" || read.strategy !== "jwt") return read
      return revalidateSession(context, read, config)
    },
    async getSessionBinding(context) {
      const read = await strategy.readSession(context)
      return (read.kind === "valid" && strategy.getUserId(read)) || ""
    },
    getUserId: (session) => (session.strategy === "jwt" ? getSubject(session.token) : undefined),
    startSession: (context, signInResult) => startSession(context, signInResult, config),
    async toPublicSession(context, session, update) {
      if (session.strategy !== "jwt") return null
      return toPublicSession(context, session, update, services)
    },
    async endSession(context): Promise<EndedSession | undefined> {
      const read = await strategy.readSession(context)
      if (read.kind === "none") return undefined
      clearCookies(context)
      return read.kind === "valid" && read.strategy === "jwt" ? { token: read.token } : undefined
    },
    clearCookies,
  }
  return strategy
}

function getSubject(token: JWT): string {
  return token.sub ?? (typeof token.email === "string" ? token.email : "")
}

function clearCookies(context: SessionContext): void {
  deleteChunkedCookie(context.jar, context.cookies, context.cookieDefinitions.sessionToken)
}

async function readSession(
  context: SessionContext,
  services: CoreServices,
): Promise<SessionReadResult> {
  const { config } = services
  const { name } = context.cookieDefinitions.sessionToken
  const sealed = readChunkedCookie(context.cookies, name)
  if (sealed === undefined) return { kind: "none" }
  if (config.jwt.decode) return decodeCustomToken(sealed, name, services)
  const read = await readToken(sealed, config.jwt.secrets, name)
  if (read.kind === "invalid") return { ...read, keepCookie: false }
  const due = needsRenewal(read.claims, config) || !read.usesFirstSecret
  return {
    kind: "valid",
    strategy: "jwt",
    token: read.claims,
    plaintext: read.plaintext,
    isRenewalDue: due,
  }
}

/** A token that the application's own `decode` understands. */
async function decodeCustomToken(
  sealed: string,
  salt: string,
  { config, logger }: CoreServices,
): Promise<SessionReadResult> {
  try {
    const token = await config.jwt.decode?.({ ...getCodecOptions(config), token: sealed, salt })
    if (!isClaims(token)) {
      return { kind: "invalid", reason: "`jwt.decode` does not accept it", keepCookie: false }
    }
    // Its own text of the claims is unknown: this one only serves to see changes.
    const plaintext = JSON.stringify(token)
    return {
      kind: "valid",
      strategy: "jwt",
      token,
      plaintext,
      isRenewalDue: needsRenewal(token, config),
    }
  } catch (cause) {
    logger.error(new JWTSessionError("`jwt.decode` failed.", { cause }))
    return { kind: "invalid", reason: "`jwt.decode` failed", keepCookie: true }
  }
}

function needsRenewal(token: JWT, config: ResolvedConfig): boolean {
  const issuedAt = token.iat ?? (token.exp ?? 0) - config.jwt.maxAge
  return Math.floor(Date.now() / 1000) - issuedAt >= config.session.updateAge
}

function getCodecOptions(config: ResolvedConfig) {
  const { configuredOptions, secrets, maxAge } = config.jwt
  return { ...configuredOptions, secret: configuredOptions.secret ?? [...secrets], maxAge }
}

async function writeToken(
  context: SessionContext,
  token: JWT,
  config: ResolvedConfig,
): Promise<void> {
  const cookie = context.cookieDefinitions.sessionToken
  const { secrets, maxAge } = config.jwt
  const sealed = config.jwt.encode
    ? await config.jwt.encode({ ...getCodecOptions(config), token, salt: cookie.name })
    : await encode({ token, secret: secrets, salt: cookie.name, maxAge })
  const expires = new Date(Date.now() + config.session.maxAge * 1000)
  writeChunkedCookie(context.jar, context.cookies, cookie, sealed, { expires })
}

/** Also where the request is refused: what a callback changed may exist nowhere else, such as a new refresh token. */
async function writeTokenEvenOnError(
  context: SessionContext,
  token: JWT,
  config: ResolvedConfig,
): Promise<void> {
  await writeToken(context, token, config)
  keepChunkedCookieOnError(context.jar, context.cookieDefinitions.sessionToken)
}

async function startSession(
  context: SessionContext,
  signInResult: SignInResult,
  config: ResolvedConfig,
): Promise<void> {
  const { user, account, profile, isNewUser } = signInResult
  const token = await config.callbacks.jwt({
    token: {
      name: user.name ?? null,
      email: user.email ?? null,
      picture: user.image ?? null,
      // Some databases count their users, whatever the contract says of ids.
      ...(user.id === undefined ? {} : { sub: String(user.id) }),
    },
    user,
    account,
    ...(profile ? { profile } : {}),
    ...(isNewUser === undefined ? {} : { isNewUser }),
    trigger: isNewUser ? "signUp" : "signIn",
  })
  if (token === null) clearCookies(context)
  else await writeToken(context, assertClaims(token), config)
}

function isClaims(value: unknown): value is JWT {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A callback that forgets to return something must not end in a session for nobody. */
function assertClaims(callbackResult: unknown): JWT {
  if (isClaims(callbackResult)) return callbackResult
  throw new TypeError("The `jwt` callback must return the token, or null to end the session")
}

async function toPublicSession(
  context: SessionContext,
  validSession: ValidJwtSession,
  update: SessionUpdate,
  { config, emitEvent }: CoreServices,
): Promise<Session | null> {
  try {
    const token = await callJwtCallback(validSession, update, config)
    if (token === null) {
      clearCookies(context)
      return null
    }
    const serialized = serializeClaims(validSession, token, config)
    const isChanged = serialized !== validSession.plaintext
    const shouldRenew = update !== undefined || validSession.isRenewalDue || isChanged
    const expires = computeExpires(validSession.token, shouldRenew, config)
    // The other callback may fail. An update that it refuses leaves the session as it was.
    const isEarly = isChanged && !update
    if (isEarly) await writeTokenEvenOnError(context, token, config)
    const session = await callSessionCallback(token, expires, update, config)
    // It may have changed the token, too.
    if (isEarly ? serializeClaims(validSession, token, config) !== serialized : shouldRenew) {
      await (isEarly ? writeTokenEvenOnError : writeToken)(context, token, config)
    }
    if (session !== null) await emitEvent("session", { session, token })
    return session
  } catch (cause) {
    throw createSessionError(cause)
  }
}

async function revalidateSession(
  context: SessionContext,
  validSession: ValidJwtSession,
  config: ResolvedConfig,
): Promise<SessionReadResult> {
  try {
    const copy = { ...validSession, token: structuredClone(validSession.token) }
    const token = await callJwtCallback(copy, undefined, config)
    if (token === null) return { kind: "expired" }
    if (serializeClaims(validSession, token, config) !== validSession.plaintext)
      await writeTokenEvenOnError(context, token, config)
    return validSession
  } catch (cause) {
    return { kind: "unavailable", error: createSessionError(cause) }
  }
}

function createSessionError(cause: unknown): JWTSessionError {
  return new JWTSessionError("A callback failed, or the session could not be sealed.", { cause })
}

async function callJwtCallback(
  validSession: ValidJwtSession,
  update: SessionUpdate,
  config: ResolvedConfig,
): Promise<JWT | null> {
  if (!config.customCallbacks.has("jwt")) return validSession.token
  const triggerParams = update
    ? ({ trigger: "update", session: update.data } as const)
    : { session: undefined }
  // At an access there is no user: the declared parameters describe a sign-in, as in the contract.
  const parameters = { token: validSession.token, ...triggerParams } as Parameters<
    ResolvedConfig["callbacks"]["jwt"]
  >[0]
  const callbackResult = await config.callbacks.jwt(parameters)
  return callbackResult === null ? null : assertClaims(callbackResult)
}

/** The claims as text, as they are after the callback. */
function serializeClaims(
  validSession: ValidJwtSession,
  token: JWT,
  config: ResolvedConfig,
): string {
  return config.customCallbacks.has("jwt") ? JSON.stringify(token) : validSession.plaintext
}

function computeExpires(token: JWT, isRenewed: boolean, config: ResolvedConfig): string {
  // The cookie lives for the one, the token in it for the other.
  const lifetime = Math.min(config.session.maxAge, config.jwt.maxAge)
  const time = isRenewed || !token.exp ? Date.now() + lifetime * 1000 : token.exp * 1000
  return new Date(time).toISOString()
}

async function callSessionCallback(
  token: JWT,
  expires: string,
  update: SessionUpdate,
  config: ResolvedConfig,
): Promise<Session | null> {
  const { name, email, picture } = token
  const user = { name: name ?? null, email: email ?? null, image: picture ?? null }
  // Strategy `jwt` knows no stored session and user: the declared parameters are those of both strategies.
  const session = { user, expires } as unknown as Session & AdapterSession & { user: AdapterUser }
  const updateParams = update ? { newSession: update.data, trigger: "update" as const } : {}
  const callbackResult = await config.callbacks.session({
    session,
    token,
    ...updateParams,
  } as Parameters<ResolvedConfig["callbacks"]["session"]>[0])
  return sanitizeSession(callbackResult)
}
