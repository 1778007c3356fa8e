/** How and when the provider authenticated the user (OpenID Connect Core 2). */
import type { IDToken } from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { Authentication } from "../../proven-identity.ts"
import { maxProviderClockSkew } from "./id-token.ts"
import type { ProviderClient } from "./oauth-context.ts"

/** Maximum length of a value in characters: it is stored with the session. */
const maxLength = 255

/** Returns what an ID token says of the authentication. Leaves out values of the wrong type. */
export function readAuthentication({ auth_time, acr, amr, sid }: IDToken): Authentication {
  const methods = Array.isArray(amr) ? amr.filter(isShortText).slice(0, 16) : []
  return omitUndefined({
    authTime: isTime(auth_time) ? Math.min(auth_time, Math.floor(Date.now() / 1000)) : undefined,
    acr: isShortText(acr) ? acr : undefined,
    amr: methods.length > 0 ? methods : undefined,
    providerSessionId: isShortText(sid) ? sid : undefined,
  })
}

/**
 * Verifies that the provider authenticated the user as late as the sign-in asked for (OpenID Connect Core 3.1.3.7,
 * rule 11). Consent, and the way back, may take any time: what counts is when the sign-in began.
 *
 * @throws OAuthCallbackError
 */
export function verifyAuthTime(
  { provider, server, transaction }: ProviderClient,
  { auth_time }: IDToken,
): void {
  const { authentication, iat = Math.floor(Date.now() / 1000) } = transaction
  if (!authentication) return
  const { maxAge, needsAuthTime } = authentication
  const isRequired =
    needsAuthTime === "always" ||
    (needsAuthTime === "if-supported" && server.claims_supported?.includes("auth_time") === true)
  if (auth_time === undefined ? !isRequired : auth_time >= iat - maxAge - maxProviderClockSkew)
    return
  throw new OAuthCallbackError({
    provider: provider.id,
    expected: `\`auth_time\` in the ID token to be at most ${maxAge} seconds before the sign-in began`,
    received: auth_time === undefined ? "no `auth_time`" : `${iat - auth_time} seconds before`,
    hint:
      auth_time === undefined
        ? "A provider must send it if the request has `max_age`. If it cannot, do not request `max_age`."
        : "The provider did not ask the user to sign in again. Check that it supports `max_age` and `prompt`.",
  })
}

const isTime = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0

const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= maxLength
