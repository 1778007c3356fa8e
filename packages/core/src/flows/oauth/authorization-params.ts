/** Which parameters a sign-in may add to the authorization request. */

const toNames = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Parameters of the protocol: only the library sets them. */
const reservedParams = toNames(`
  client_assertion client_assertion_type client_id client_secret code_challenge code_challenge_method
  code_verifier nonce redirect_uri request request_uri response_mode response_type state
`)

/** Parameters that the query of a sign-in request may set: they change what the user sees, not who signs in. */
const allowedQueryParams = toNames(`
  access_type acr_values audience claims claims_locales connection display domain_hint hd id_token_hint
  identity_provider idp_hint include_granted_scopes kc_idp_hint lang locale login login_hint max_age
  organization organization_id prompt resource scope screen_hint tenant tenantId ui_locales
`)

/**
 * Filters the parameters of a sign-in. Returns those that may be passed on, and the names of the others.
 *
 * @param configured the parameters of the provider, which the query of a request may set, too; undefined for parameters
 *   from application code
 */
export function filterParams(
  parameters: URLSearchParams,
  configured: object | undefined,
): { readonly allowed: Readonly<Record<string, string>>; readonly dropped: readonly string[] } {
  const isAllowed = ([name]: readonly [string, string]) =>
    !reservedParams.has(name) &&
    (!configured || allowedQueryParams.has(name) || Object.hasOwn(configured, name))
  const dropped = [...parameters].filter((parameter) => !isAllowed(parameter))
  return {
    allowed: Object.fromEntries([...parameters].filter(isAllowed)),
    dropped: dropped.map(([name]) => name),
  }
}
