/** Updates, renews and writes sessions in a sealed cookie, with the `jwt` callback of the application. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionConfig } from "../../config/resolved-config.ts"
import { sealClaims } from "../../crypto/jwe.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { type AuthError, JWTSessionError, SessionTooLarge } from "../../errors.ts"
import { keepChunkedCookieOnError, writeChunkedCookie } from "../../http/cookie-chunks.ts"
import { addRequest } from "../../http/request-view.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { isObject, isPlainObject, omitUndefined } from "../../objects.ts"
import type { JWT, Session } from "../../types.ts"
import { callSessionCallback } from "../current-session.ts"
import {
  factsClaimName,
  getMaxAges,
  readSessionFacts,
  type SessionFacts,
  toFactsClaim,
} from "../session-facts.ts"
import { type ClientUpdate, deleteSessionCookie } from "../session-strategy.ts"

/** The token of a valid session, and why it may have to be written. */
export interface CheckedToken {
  readonly token: JWT
  readonly facts: SessionFacts
  readonly isRenewalDue: boolean
  /** Updates that server code stored for the session, in their order. */
  readonly storedUpdates: readonly { readonly data: unknown; readonly version: number }[]
}

/**
 * Returns the session for the client, after the callbacks. Writes its token if it is due, updated, or changed by a callback.
 * Returns null when the `jwt` callback ended the session, or the `session` callback returned none.
 *
 * @throws JWTSessionError, SessionTooLarge
 */
export async function updateSession(
  services: SessionServices,
  context: SessionContext,
  { token: oldToken, facts, isRenewalDue, storedUpdates }: CheckedToken,
  clientUpdate: ClientUpdate,
): Promise<Session | null> {
  const { config } = services
  try {
    const oldClaims = serializeClaims(config, oldToken) // the callback may change the token itself
    const lastUpdate = storedUpdates.at(-1)
    const update = clientUpdate ?? lastUpdate
    // The token remembers which stored update was the last one.
    let token: JWT | null = lastUpdate
      ? { ...oldToken, ...toFactsClaim({ ...facts, updated: lastUpdate.version }) }
      : oldToken
    const updates = clientUpdate || !lastUpdate ? [...storedUpdates, clientUpdate] : storedUpdates
    for (const each of updates) token = token && (await updateToken(config, context, token, each))
    if (token === null) {
      deleteSessionCookie(context)
      return null
    }
    const claims = serializeClaims(config, token)
    const isChanged = claims !== oldClaims
    const isRenewed = context.canSetCookies && (update !== undefined || isRenewalDue || isChanged)
    // The `session` callback may fail. Then an update is discarded, but another change of the token is kept.
    const writesFirst = isChanged && !update
    if (writesFirst) await renewToken(services, context, token, true)
    const { cookieMaxAge, tokenMaxAge } = getMaxAges(config, token)
    const newEnd = Date.now() + Math.min(cookieMaxAge, tokenMaxAge) * 1000
    // The own codec of an application may write no `exp`.
    const end = isRenewed || !oldToken.exp ? newEnd : oldToken.exp * 1000
    const expires = new Date(end).toISOString()
    const { name, email, picture: image } = token
    const user = omitUndefined({ name, email, image })
    const params = { session: { user, expires }, token }
    const session = await callSessionCallback(config, params, update, context)
    // The `session` callback may change the token, too.
    const needsWrite = writesFirst ? serializeClaims(config, token) !== claims : isRenewed
    if (needsWrite && clientUpdate) await writeToken(services, context, token, false)
    else if (needsWrite) await renewToken(services, context, token, writesFirst)
    if (session !== null) await services.emitEvent("session", { session, token }, context)
    return session
  } catch (cause) {
    throw createSessionError(cause)
  }
}

/** Creates the error of a sealed session that could not be checked or written. */
export function createSessionError(cause: unknown): AuthError {
  if (cause instanceof SessionTooLarge) return cause
  return new JWTSessionError({ summary: "The session check failed.", cause })
}

export type JwtParams = Omit<
  Parameters<SessionConfig["callbacks"]["jwt"]>[0],
  "canSetCookies" | "request"
>

/** Calls the callback, if there is one, for a token that was read. */
export async function updateToken(
  config: SessionConfig,
  context: SessionContext,
  token: JWT,
  update: ClientUpdate,
): Promise<JWT | null> {
  if (!config.customCallbacks.has("jwt")) return token
  const updateParams = update ? { trigger: "update", session: update.data } : { session: undefined }
  // The types of Auth.js describe a sign-in; there is no user when a session is read.
  const params = { token, ...updateParams } as JwtParams
  return callJwtCallback(config, context, params, token.signedInAt)
}

/**
 * Calls the callback, if there is one, and returns its claims with the facts as they are: it may have left them out, or
 * have copied others from what a browser or a provider sent.
 *
 * @throws TypeError when the result is neither a token nor null: nothing must not start a session without claims
 */
export async function callJwtCallback(
  config: SessionConfig,
  context: SessionContext,
  params: JwtParams,
  signedInAt = 0,
  factsClaim: JWT = { [factsClaimName]: params.token[factsClaimName] },
): Promise<JWT | null> {
  const token = config.customCallbacks.has("jwt")
    ? await config.callbacks.jwt(addCanSetCookies(addRequest(params, context), context))
    : params.token
  if (token === null) return null
  // The claims are own properties, which a `Map`, a `Date` and some class instances lack.
  const hasClaims = isPlainObject(token) || (isObject(token) && Object.keys(token).length > 0)
  if (!hasClaims)
    throw new TypeError("The `jwt` callback must return the token, or null to end the session")
  const { providerTokens } = params.token
  // A callback that leaves the claim out must not lose the tokens.
  const kept = config.session.providerTokens && providerTokens ? { providerTokens } : {}
  // In the same order, so that the token counts as unchanged.
  const claims: JWT = { ...kept, ...token, ...factsClaim, signedInAt }
  if (factsClaim[factsClaimName] === undefined) delete claims[factsClaimName]
  return claims
}

/** Like the request, it is not enumerable, so that copies and logs have the parameters that Auth.js passes. */
const addCanSetCookies = <Params extends object>(params: Params, context: SessionContext) => {
  const { canSetCookies: value } = context
  return Object.defineProperty(params, "canSetCookies", { value }) as Params & {
    canSetCookies: boolean
  }
}

/** Serializes the claims to detect changes. Only a `jwt` callback of the application can change them. */
export function serializeClaims({ customCallbacks }: SessionConfig, token: JWT): string {
  return customCallbacks.has("jwt") ? JSON.stringify(token) : ""
}

/**
 * Writes a token, without the picture if that makes it too large.
 *
 * @param keepOnError also sets the cookie if the request fails: the token may hold the only copy of a refresh token
 * @throws SessionTooLarge
 */
export async function writeToken(
  { config, getTokenKeys, logger }: SessionServices,
  { jar, cookies, cookieDefinitions }: SessionContext,
  token: JWT,
  keepOnError: boolean,
): Promise<void> {
  const cookie = cookieDefinitions.sessionToken
  const { codec } = config.jwt
  const { isTemporary } = readSessionFacts(token)
  const { cookieMaxAge, tokenMaxAge } = getMaxAges(config, token)
  // A browser deletes a cookie without an expiry when it is closed.
  const attributes = isTemporary ? {} : { expires: new Date(Date.now() + cookieMaxAge * 1000) }
  const { picture, ...others } = token
  for (const each of picture ? [token, others] : [token]) {
    const sealed: unknown = codec.encode
      ? await codec.encode({ ...codec, maxAge: tokenMaxAge, token: each, salt: cookie.name })
      : await sealClaims((await getTokenKeys(cookie.name))[0], each, tokenMaxAge)
    if (typeof sealed !== "string") throw new TypeError("`jwt.encode` must return text")
    if (!writeChunkedCookie(jar, cookies, cookie, sealed, attributes)) continue
    if (each !== token) logger.warn("picture-dropped", describeLargestClaims(token))
    if (keepOnError) keepChunkedCookieOnError(jar, cookie)
    return
  }
  const received = describeLargestClaims(token)
  throw new SessionTooLarge({ expected: "a session of at most 12 KB", received })
}

/**
 * Writes a token that was read, if the response can set cookies. If it is too large, the session stays as it is until it
 * expires.
 */
export async function renewToken(
  services: SessionServices,
  context: SessionContext,
  token: JWT,
  keepOnError: boolean,
): Promise<void> {
  if (!context.canSetCookies) return
  try {
    await writeToken(services, context, token, keepOnError)
  } catch (error) {
    if (!(error instanceof SessionTooLarge)) throw error
    services.logger.error(error)
  }
}

/** Names the largest claims, with their sizes as JSON. Never their values. */
function describeLargestClaims(token: JWT): string {
  const claims = Object.entries(token).map(
    ([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const,
  )
  const largest = claims.sort((a, b) => b[1] - a[1]).slice(0, 3)
  return largest.map(([name, size]) => `${describeValue(name)} with ${size} characters`).join(", ")
}
