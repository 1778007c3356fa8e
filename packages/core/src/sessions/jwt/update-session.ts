/** Updates and renews sessions in a sealed cookie. */
import type { SessionServices } from "../../config/core-services.ts"
import { type AuthError, JWTSessionError, SessionTooLarge } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT, Session } from "../../types.ts"
import { callTokenSessionCallback } from "../session-callback.ts"
import { getMaxAges, type SessionFacts, toFactsClaim } from "../session-facts.ts"
import { type ClientUpdate, deleteSessionCookie } from "../session-strategy.ts"
import { serializeClaims, updateToken } from "./jwt-callback.ts"
import { renewToken, writeToken } from "./write-token.ts"

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
    const session = await callTokenSessionCallback(config, context, token, expires, update)
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

/** Calls the `jwt` callback for a session that was checked. Writes the token if the callback changed it. */
export async function revalidateToken(
  services: SessionServices,
  context: SessionContext,
  oldToken: JWT,
): Promise<JWT | null> {
  const { config } = services
  const token = await updateToken(config, context, structuredClone(oldToken), undefined)
  if (token && serializeClaims(config, token) !== serializeClaims(config, oldToken))
    await renewToken(services, context, token, true)
  return token
}

/** Creates the error of a sealed session that could not be checked or written. */
export function createSessionError(cause: unknown): AuthError {
  if (cause instanceof SessionTooLarge) return cause
  return new JWTSessionError("The session check failed.", { cause })
}
