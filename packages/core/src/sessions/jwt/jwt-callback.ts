/** The `jwt` callback of the application. */
import type { SessionConfig } from "../../config/resolved-config.ts"
import { addRequest } from "../../http/request-view.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { isObject, isPlainObject } from "../../objects.ts"
import type { JWT } from "../../types.ts"
import { factsClaimName } from "../session-facts.ts"
import type { ClientUpdate } from "../session-strategy.ts"

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
const addCanSetCookies = <Params extends object>(
  params: Params,
  { canSetCookies }: SessionContext,
): Params & { readonly canSetCookies: boolean } =>
  Object.defineProperty(params, "canSetCookies", { value: canSetCookies }) as Params & {
    canSetCookies: boolean
  }

/** Serializes the claims to detect changes. Only a `jwt` callback of the application can change them. */
export function serializeClaims({ customCallbacks }: SessionConfig, token: JWT): string {
  return customCallbacks.has("jwt") ? JSON.stringify(token) : ""
}
