/** Errors that a provider reports (RFC 6749 sections 4.1.2.1 and 5.2), and how to fix them. */
import { getProviderVariable } from "../../config/environment.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { type AuthError, CallbackRouteError, OAuthCallbackError } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { ProviderClient } from "./oauth-context.ts"

/** Up to 300 characters of a provider's description. It ends between words, because the log does not recognise part of a secret. */
const descriptionPattern = /^.{0,300}(?!\S)/s

/** Describes the members of an error response. A value that is not an error code is left out. */
export function describeError(error: unknown, description: unknown): string {
  const code = toErrorCode(error)
  if (typeof description !== "string" || description === "") return code
  const [text = ""] = descriptionPattern.exec(description) ?? []
  return `${code} (${text.trimEnd()})`.trimStart()
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
  const message = `The provider responded with ${description || "an error"}.`
  if (/^(?:server_error|temporarily_unavailable)$/.test(error))
    return new CallbackRouteError(message, { ...details, isTemporary: true, hint: outageHint })
  const refusal = new OAuthCallbackError(
    `The user declined, or the provider refused the user: ${description}.`,
    {
      ...details,
      hint: "If this user should have access, check at the provider who may use the client.",
    },
  )
  return refusal.isDenied ? refusal : new OAuthCallbackError(message, details)
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
  const message = `The token endpoint returned ${[status, description].filter(Boolean).join(" ")}.`
  const hint = getHint(client, status, toErrorCode(error))
  const details = { provider: client.provider.id, status, error, error_description }
  // Some providers send their errors with status 200.
  const ErrorClass = status === 200 ? OAuthCallbackError : CallbackRouteError
  return new ErrorClass(message, { ...details, ...omitUndefined({ hint }) })
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
    return `Check ${getProviderVariable(client.provider.id, "SECRET")}.`
  return status >= 500 ? outageHint : undefined
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

/** Says which issuer, audience or clock the ID token has, which the error of the protocol library does not. */
export function describeClaimError({ id }: ResolvedOAuthProvider, error: unknown): unknown {
  const { claim, claims, expected, tolerance } = Object(Object(error).cause)
  if (claim === "exp" || claim === "nbf")
    return createClockError(id, claim, { ...claims, tolerance }, error)
  const variable = claimVariables[String(claim)]
  if (!(error instanceof Error) || variable === undefined) return error
  const received = describeValue(claims[claim])
  const message = `${error.message}: expected ${describeValue(expected)}, received ${received}.`
  const hint = `Compare ${getProviderVariable(id, variable)} with the settings at the provider.`
  return new CallbackRouteError(message, { provider: id, hint, cause: error })
}

/** The variables that claims of the ID token are compared with. */
const claimVariables: Readonly<Record<string, "ID" | "ISSUER">> = { iss: "ISSUER", aud: "ID" }
