/** The authorization request (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1). */
import { sha256Base64Url } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { InvalidRequest, OAuthSignInError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import {
  getOAuthCookies,
  type NewOAuthSignIn,
  type OAuthContext,
  type OAuthTransaction,
  type RequestedAuthentication,
} from "./oauth-context.ts"
import { createRedirect } from "./redirect-proxy.ts"

/** Parameters of an authorization request, beyond those of the provider. */
type AuthorizationParams = Readonly<Record<string, string>>

/**
 * Begins a sign-in and returns the URL to which the browser is redirected.
 *
 * @throws OAuthSignInError when the provider cannot be used
 */
export async function createAuthorizationUrl(
  context: OAuthContext,
  parameters: AuthorizationParams,
  signIn: NewOAuthSignIn,
): Promise<string> {
  const { provider } = context
  const { id } = provider
  try {
    const server = await context.getMetadata(provider)
    const supportsPkce = server.code_challenge_methods_supported?.includes("S256") ?? false
    // A provider that does not announce PKCE may ignore it. Then the nonce binds the code to this sign-in.
    const hasPkce = supportsPkce && provider.usesPkce
    const needsNonce = provider.type === "oidc" && !hasPkce && !provider.omitsNonce
    const { redirectUri, state } = await createRedirect(context)
    const codeVerifier = provider.usesPkce ? randomToken() : undefined
    const nonce = provider.usesNonce || needsNonce ? randomToken() : undefined
    const pending: OAuthTransaction = { ...signIn, provider: id, codeVerifier, nonce, redirectUri }
    await getOAuthCookies(context).save(state, pending)
    const { origin, pathname, searchParams, hash } = new URL(server.authorization_endpoint ?? "")
    const query = {
      response_type: "code",
      [provider.clientIdParameter]: provider.clientId,
      redirect_uri: redirectUri,
      ...provider.authorization.params,
      ...parameters,
      state,
      // RFC 7636 section 4.2
      ...(codeVerifier && {
        code_challenge: await sha256Base64Url(codeVerifier),
        code_challenge_method: "S256",
      }),
      ...(nonce && { nonce }),
    }
    // The endpoint may have a query. WeChat's has a fragment, although RFC 6749 section 3.1 permits none.
    const ownParams = [...searchParams].filter(([name]) => !Object.hasOwn(query, name))
    return `${origin}${pathname}?${new URLSearchParams([...ownParams, ...Object.entries(query)])}${hash}`
  } catch (cause) {
    throw new OAuthSignInError(
      { summary: "The sign-in could not be started." },
      { provider: id, cause },
    )
  }
}

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
): { readonly allowed: AuthorizationParams; readonly dropped: readonly string[] } {
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

/**
 * Returns what a sign-in asks for; undefined if any authentication will do.
 *
 * @param own the parameters that the application chose
 * @param sent those that the browser chose
 * @throws InvalidRequest when `max_age` is not a number of seconds
 */
export function readRequestedAuthentication(
  { id, type, authorization: { params } }: ResolvedOAuthProvider,
  own: AuthorizationParams,
  sent: AuthorizationParams,
): RequestedAuthentication | undefined {
  // Without OpenID Connect, there is no ID token.
  if (type !== "oidc") return undefined
  const { max_age, prompt = "" }: AuthorizationParams = { ...params, ...sent, ...own }
  const maxAge = prompt.split(" ").includes("login") ? 0 : Number(max_age)
  if (max_age === undefined) return maxAge === 0 ? { maxAge, needsAuthTime: "never" } : undefined
  if (!/^\d{1,10}$/.test(max_age)) {
    const expected = `\`max_age\` for ${id} to be a whole number of seconds, zero or more`
    throw new InvalidRequest(400, { expected, received: describeValue(max_age) })
  }
  // The sign-in page asks every provider to authenticate a visitor again. Some never say when they did.
  const isOptional = maxAge === 0 && params["max_age"] === undefined && own["max_age"] === undefined
  return { maxAge, needsAuthTime: isOptional ? "if-supported" : "always" }
}
