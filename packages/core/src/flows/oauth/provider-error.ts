/** Errors that a provider reports (RFC 6749 sections 4.1.2.1 and 5.2), and how to fix them. */
import { getProviderVariable } from "../../config/environment.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { type AuthError, CallbackRouteError, OAuthCallbackError } from "../../errors.ts"
import { isError, isObject, omitUndefined } from "../../objects.ts"
import { getAnnouncedMethods, getAuthMethod } from "./client-auth.ts"
import type { ProviderClient } from "./oauth-context.ts"

/** Up to 300 characters of a provider's description. It ends between words, because the log does not recognise part of a secret. */
const descriptionPattern = /^.{0,300}(?!\S)/s

/** Quotes the members of an error response. A value that is not an error code is left out. */
export function describeError(error: unknown, description: unknown): string {
  const [text = ""] =
    descriptionPattern.exec(typeof description === "string" ? description : "") ?? []
  const words = [toErrorCode(error), text.trimEnd()].filter(Boolean).join(": ")
  return words && `"${words.replaceAll(/["\\]/g, "\\$&")}"`
}

const toErrorCode = (error: unknown): string =>
  typeof error === "string" && /^[\w.-]{1,60}$/.test(error) ? error : ""

/** Creates the error for an authorization response with an error. */
export function createAuthorizationError(
  provider: string,
  error: string,
  error_description: string | undefined,
): AuthError {
  const details = { provider, ...omitUndefined({ error, error_description }) }
  const description = describeError(error, error_description)
  const summary = `The provider responded with ${description || "an error"}.`
  if (/^(?:server_error|temporarily_unavailable)$/.test(error))
    return new CallbackRouteError({ summary, ...details, isTemporary: true, hint: outageHint })
  const refusal = new OAuthCallbackError({
    summary: `The user declined, or the provider refused the user: ${description}.`,
    ...details,
    hint: "If this user should have access, check at the provider who may use the client.",
  })
  return refusal.isDenied ? refusal : new OAuthCallbackError({ summary, ...details })
}

export const outageHint = "The provider has failed: try again later."

/**
 * Creates the error for a response of the token endpoint without tokens.
 *
 * @param body the response, if it is a JSON object
 */
export function createTokenError(
  client: ProviderClient,
  status: number,
  body: Readonly<Record<string, unknown>> | undefined,
): AuthError {
  const { error, error_description } = body ?? {}
  const description = describeError(error, error_description)
  const summary = `The token endpoint returned ${[status, description].filter(Boolean).join(" ")}.`
  const hint = getHint(client, status, toErrorCode(error))
  const details = { provider: client.provider.id, status, error, error_description }
  // Some providers send their errors with status 200.
  const ErrorClass = status === 200 ? OAuthCallbackError : CallbackRouteError
  return new ErrorClass({ summary, ...details, ...omitUndefined({ hint }) })
}

/** Says what makes a provider issue an access token. */
export const scopeHint =
  "Set `authorization.params.scope` to a scope for which the provider issues an access token, such as that of an API."

/** Creates the error for a token response without the access token that the profile is requested with. */
export function createMissingAccessTokenError(provider: string): OAuthCallbackError {
  const expected = "an access token, with which the profile is requested"
  return new OAuthCallbackError({ provider, expected, received: "none", hint: scopeHint })
}

/** Says how to fix an error, by its code (those of RFC 6749, and those of GitHub) or the status of the response. */
function getHint(client: ProviderClient, status: number, code: string): string | undefined {
  const { redirectUri } = client.transaction
  switch (code) {
    case "invalid_grant":
    case "bad_verification_code":
      return (
        "Sign in again, because a code expires and works once. If that fails, too, compare the redirect URI at the " +
        `provider with ${redirectUri}.`
      )
    case "redirect_uri_mismatch":
      return `Register the redirect URI ${redirectUri} at the provider.`
    case "unauthorized_client":
    case "unsupported_grant_type":
      return "Allow the authorization code grant for this client at the provider."
  }
  if (status === 401 || ["invalid_client", "incorrect_client_credentials"].includes(code))
    return getAuthHint(client)
  return status >= 500 ? outageHint : undefined
}

function getAuthHint(client: ProviderClient): string {
  const variable = getProviderVariable(client.provider.id, "SECRET")
  const method = getAuthMethod(client)
  const announced = getAnnouncedMethods(client.server)
  if (announced.includes(method)) return `Check ${variable}.`
  const list = announced.length > 0 ? `, and the provider announces ${announced.join(", ")}` : ""
  return `Check ${variable}, and \`client.token_endpoint_auth_method\`: the request used ${method}${list}.`
}

/** Creates the error for an ID token that was issued too early or too late by the clock of this server. */
export function createClockError(
  provider: string,
  claim: string,
  { iat, tolerance }: { readonly iat?: unknown; readonly tolerance: number },
  cause?: unknown,
): CallbackRouteError {
  const seconds = Math.round(Number(iat) - Date.now() / 1000)
  const difference = `${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead"}`
  const details = { provider, claim, cause }
  return new CallbackRouteError({
    ...details,
    expected: `the clock of this server to be within ${tolerance} s of that of the provider (\`${claim}\` in the ID token)`,
    received: Number.isNaN(seconds) ? "an ID token without `iat`" : difference,
    hint: "Set the clock, for example with NTP. `clockTolerance` of the provider tolerates up to 300 s.",
  })
}

/** Says which issuer, audience, clock or nonce the ID token has, which the error of the protocol library does not. */
export function explainClaimError(
  { provider: { id }, transaction }: ProviderClient,
  error: unknown,
): unknown {
  const { claim, claims, expected, tolerance } = Object(Object(error).cause)
  if (claim === "exp" || claim === "nbf")
    return createClockError(id, claim, { ...claims, tolerance }, error)
  // The claim that is missing has no name in the error.
  const isMissing = claim === undefined && isObject(claims) && claims["nonce"] === undefined
  if (claim === "nonce" || (isMissing && transaction.nonce !== undefined))
    return createNonceError(id, transaction.nonce, isMissing, error)
  const variable = claimVariables[String(claim)]
  if (!isError(error) || variable === undefined) return error
  const received = describeValue(claims[claim])
  const summary = `${error.message}: expected ${describeValue(expected)}, received ${received}.`
  const hint = `Compare ${getProviderVariable(id, variable)} with the settings at the provider.`
  return new CallbackRouteError({ summary, provider: id, hint, cause: error })
}

/** Creates the error for an ID token whose nonce is not that of the sign-in. */
function createNonceError(
  provider: string,
  sent: string | undefined,
  isMissing: boolean,
  cause: unknown,
): CallbackRouteError {
  if (sent === undefined) {
    const expected = "no `nonce` in the ID token, because the sign-in sent none"
    const hint = 'If the provider requires one, set `checks: ["pkce", "nonce"]`.'
    return new CallbackRouteError({ provider, expected, received: "one", hint, cause })
  }
  const expected = "the `nonce` of the sign-in in the ID token"
  const received = isMissing ? "none" : "another one"
  const hint = `${isMissing ? "" : "The ID token is of another sign-in: sign in again. "}${nonceHint}`
  return new CallbackRouteError({ provider, expected, received, hint, cause })
}

const nonceHint =
  'If the provider never returns the nonce of a request, but supports PKCE, set `checks: ["pkce"]`.'

/** The variables that claims of the ID token are compared with. */
const claimVariables: Readonly<Record<string, "ID" | "ISSUER">> = { iss: "ISSUER", aud: "ID" }
