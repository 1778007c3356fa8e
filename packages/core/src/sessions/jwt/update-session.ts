/** Updates and renews sessions in a sealed cookie. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionConfig } from "../../config/resolved-config.ts"
import type { SessionContext } from "../../http/session-context.ts"
import type { JWT, Session } from "../../types.ts"
import { callTokenSessionCallback } from "../session-callback.ts"
import { getMaxAges, readSessionFacts, toFactsClaim } from "../session-facts.ts"
import { deleteSessionCookie, type SessionUpdate } from "../session-strategy.ts"
import { serializeClaims, updateToken } from "./jwt-callback.ts"
import { renewToken, writeToken } from "./write-token.ts"

/** An update that server code stored for the session. */
export type StoredUpdate = { readonly data: unknown; readonly version: number }

/** The token of a valid session, and why it may have to be written. */
export interface CheckedToken {
  readonly token: JWT
  readonly isRenewalDue: boolean
  /** In their order. */
  readonly storedUpdates: readonly StoredUpdate[]
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
  { token: oldToken, isRenewalDue, storedUpdates }: CheckedToken,
  clientUpdate: SessionUpdate,
): Promise<Session | null> {
  const { config } = services
  try {
    const oldClaims = serializeClaims(config, oldToken) // the callback may change the token itself
    const lastUpdate = storedUpdates.at(-1)
    const update = clientUpdate ?? lastUpdate
    const updates = [...storedUpdates, ...(clientUpdate ? [clientUpdate] : [])]
    const token = await (lastUpdate
      ? applyUpdates(config, context, oldToken, updates, lastUpdate.version)
      : updateToken(config, context, oldToken, clientUpdate))
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
    const expires = computeExpires(config, token, isRenewed ? undefined : oldToken.exp)
    const session = await callTokenSessionCallback(config, context, token, expires, update)
    // The `session` callback may change the token, too.
    const needsWrite = writesFirst ? serializeClaims(config, token) !== claims : isRenewed
    if (needsWrite && clientUpdate) await writeToken(services, context, token, false)
    else if (needsWrite) await renewToken(services, context, token, writesFirst)
    if (session !== null) await services.emitEvent("session", { session, token }, context)
    return session
  } catch (cause) {
    const { createSessionError } = await import("../session-failures.ts")
    throw createSessionError(cause)
  }
}

/** Calls the `jwt` callback for a session that was read. Writes the token if the callback changed it. */
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

/** Calls the `jwt` callback for each update, and remembers the version of the last stored one. */
async function applyUpdates(
  config: SessionConfig,
  context: SessionContext,
  oldToken: JWT,
  updates: readonly NonNullable<SessionUpdate>[],
  version: number,
): Promise<JWT | null> {
  const facts = { ...readSessionFacts(oldToken), updated: version }
  let token: JWT | null = { ...oldToken, ...toFactsClaim(facts) }
  for (const update of updates) token = token && (await updateToken(config, context, token, update))
  return token
}

function computeExpires(config: SessionConfig, token: JWT, exp: number | undefined): string {
  if (exp) return new Date(exp * 1000).toISOString()
  const { cookieMaxAge, tokenMaxAge } = getMaxAges(config, token)
  return new Date(Date.now() + Math.min(cookieMaxAge, tokenMaxAge) * 1000).toISOString()
}
