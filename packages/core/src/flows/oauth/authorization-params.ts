/** Which parameters a sign-in may add to the authorization request. */

/** Belong to the protocol: nobody but the library sets them. */
const reservedParams: ReadonlySet<string> = new Set([
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "client_secret",
  "code_challenge",
  "code_challenge_method",
  "code_verifier",
  "nonce",
  "redirect_uri",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "state",
])

/** May come in the query of the sign-in request: they change what is asked of a person, not of whom. */
const allowedQueryParams: ReadonlySet<string> = new Set([
  "access_type",
  "acr_values",
  "audience",
  "claims",
  "claims_locales",
  "connection",
  "display",
  "domain_hint",
  "hd",
  "id_token_hint",
  "identity_provider",
  "idp_hint",
  "include_granted_scopes",
  "kc_idp_hint",
  "lang",
  "locale",
  "login",
  "login_hint",
  "max_age",
  "organization",
  "organization_id",
  "prompt",
  "resource",
  "scope",
  "screen_hint",
  "tenant",
  "tenantId",
  "ui_locales",
])

/** Parameters that may be passed on, and the names of those that may not. */
export interface FilteredParams {
  readonly allowed: Readonly<Record<string, string>>
  readonly dropped: readonly string[]
}

/** Sifts the query of a sign-in request; the provider's own configured names may be set too. */
export function filterQueryParams(
  query: URLSearchParams,
  configured: Readonly<Record<string, string>>,
): FilteredParams {
  return filterParams(
    [...query],
    (name) => allowedQueryParams.has(name) || Object.hasOwn(configured, name),
  )
}

/** Sifts parameters that application code gave. */
export function filterApplicationParams(
  parameters: Iterable<readonly [string, string]>,
): FilteredParams {
  return filterParams([...parameters], () => true)
}

function filterParams(
  entries: readonly (readonly [string, string])[],
  isAllowedName: (name: string) => boolean,
) {
  const isAllowed = ([name]: readonly [string, string]) =>
    isAllowedName(name) && !reservedParams.has(name)
  const dropped = entries.filter((entry) => !isAllowed(entry)).map(([name]) => name)
  return { allowed: Object.fromEntries(entries.filter(isAllowed)), dropped }
}
