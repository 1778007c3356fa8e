/** Which parameters a sign-in may add to the authorization request. */
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

const toNames = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Parameters of the protocol: only the library sets them. */
const reservedParams = toNames(`
  client_assertion client_assertion_type client_id client_secret code_challenge code_challenge_method
  code_verifier nonce redirect_uri request request_uri response_mode response_type state
`)

/** Parameters that a browser may set if the provider does not: they change what the user sees, not who signs in. */
const allowedQueryParams = toNames(`
  access_type acr_values audience claims claims_locales connection display domain_hint hd id_token_hint
  identity_provider idp_hint include_granted_scopes kc_idp_hint lang locale login login_hint max_age
  organization organization_id prompt resource scope screen_hint tenant tenantId ui_locales
`)

type Parameter = readonly [name: string, value: string]

/**
 * Filters the parameters of a sign-in. Returns those that may be passed on, and the names of the others.
 *
 * @param authorization the provider's, for parameters that a browser sent; undefined for those of application code
 */
export function filterParams(
  parameters: readonly Parameter[],
  authorization: ResolvedOAuthProvider["authorization"] | undefined,
): { readonly allowed: Readonly<Record<string, string>>; readonly dropped: readonly string[] } {
  const isAllowed = ([name, value]: Parameter) =>
    !reservedParams.has(name) &&
    (!authorization ||
      authorization.overridableParams.includes(name) ||
      (allowedQueryParams.has(name) && !Object.hasOwn(authorization.params, name)) ||
      // A browser may ask for a later authentication than the application does.
      (name === "max_age" && Number(value) < Number(authorization.params[name])))
  const dropped = parameters.filter((parameter) => !isAllowed(parameter))
  return {
    allowed: Object.fromEntries(parameters.filter(isAllowed)),
    dropped: dropped.map(([name]) => name),
  }
}
