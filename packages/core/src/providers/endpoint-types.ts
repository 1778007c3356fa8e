/** What a definition says of a provider's endpoints, of its issuer and of the client at it. */
import type { Awaitable, TokenSet } from "../types.ts"

/** Parameters in the query of an endpoint; `claims` may be an object, and null for `scope` sends none. */
export type EndpointParams = Record<string, unknown>

/** An endpoint of a provider. Without `url` it is taken from the provider's metadata. */
export interface EndpointOptions {
  url?: string
  params?: EndpointParams
}

/** The token endpoint of a provider. */
export interface TokenEndpointOptions extends EndpointOptions {
  /** Mends an answer that does not conform to RFC 6749 section 5; gets a copy, and may return nothing. */
  conform?: (response: Response) => Awaitable<Response | undefined>
  /** Makes the client secret anew for each request, for a provider that wants a signed one that expires. */
  clientSecret?: (clientId: string) => Awaitable<string>
  /** Signs the assertion of `private_key_jwt` (RFC 7523). */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string }
}

/** What {@link UserinfoEndpointOptions.request} gets. */
export interface UserinfoContext {
  tokens: TokenSet
  provider: Readonly<Record<string, unknown>>
  /** Makes requests as the flow does: bounded in time and size, by TLS, without redirects. */
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>
}

/** The userinfo endpoint of a provider. */
export interface UserinfoEndpointOptions<P> extends EndpointOptions {
  /** Replaces the request (type `oauth` only). */
  request?(context: UserinfoContext): Awaitable<P | unknown>
  conform?: (response: Response) => Awaitable<Response | undefined>
}

/** Metadata of the client at the provider (RFC 7591 section 2). */
export interface ClientOptions {
  token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    // Written elsewhere as plain text; what is none of these is refused when it is used.
    | (string & {})
  id_token_signed_response_alg?: string
  [metadata: string]: unknown
}

/**
 * How a provider that many tenants share names the issuer of each. An account is known by provider and `sub`: it is for
 * providers whose `sub` no two tenants have in common, whatever OpenID Connect allows.
 */
export interface TenantIssuers {
  /**
   * The issuer that metadata announces, by the `issuer` of the configuration that stands for several tenants.
   * `{tenantid}` in it stands for the tenant.
   */
  metadataIssuers: Readonly<Record<string, string>>
  /** The claim of the ID token that names the tenant, a UUID. */
  tenantClaim: string
}
