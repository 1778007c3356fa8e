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

type Parameters = Iterable<readonly [name: string, value: string]>

/** Parameters that may be passed on, and the names of the others. */
export interface FilteredParams {
  readonly allowed: Readonly<Record<string, string>>
  readonly dropped: readonly string[]
}

/** Filters the query of a sign-in request. It may also set the parameters that the provider configures. */
export function filterQueryParams(query: Parameters, configured: object): FilteredParams {
  return filterParams(
    query,
    (name) => allowedQueryParams.has(name) || Object.hasOwn(configured, name),
  )
}

/** Filters parameters from application code. */
export function filterApplicationParams(parameters: Parameters): FilteredParams {
  return filterParams(parameters, () => true)
}

function filterParams(
  parameters: Parameters,
  isAllowedName: (name: string) => boolean,
): FilteredParams {
  const entries = [...parameters]
  const isAllowed = (name: string) => isAllowedName(name) && !reservedParams.has(name)
  return {
    allowed: Object.fromEntries(entries.filter(([name]) => isAllowed(name))),
    dropped: entries.map(([name]) => name).filter((name) => !isAllowed(name)),
  }
}
