/** The types of a provider's endpoints, issuer and client metadata. */
import type { CryptoKey } from "jose"
import type { Awaitable, TokenSet } from "../types.ts"

/** Query parameters of an endpoint. `claims` can be an object. If `scope` is null, none is sent. */
export type EndpointParams = Record<string, unknown>

/** An endpoint of a provider. Without `url`, the provider's metadata is used. */
export interface EndpointOptions {
  /** The URL of the endpoint. @defaultValue that of the provider's metadata */
  url?: string
  /** Parameters of each request, such as `scope`. */
  params?: EndpointParams
}

/** The token endpoint of a provider. */
export interface TokenEndpointOptions extends EndpointOptions {
  /**
   * Fixes a response that does not conform to RFC 6749 section 5. Receives a copy. Return nothing to keep the response.
   */
  conform?: (response: Response) => Awaitable<Response | undefined>
  /** Creates the client secret for each request, for providers that require a signed secret that expires. */
  clientSecret?: (clientId: string) => Awaitable<string>
  /** Signs the assertion of `private_key_jwt` (RFC 7523). */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string }
}

/** The parameter of {@link UserinfoEndpointOptions.request}. */
export interface UserinfoContext {
  tokens: TokenSet
  /** The provider's definition, with the URLs that its metadata may have added. */
  provider: Readonly<Record<string, unknown>> &
    Record<"authorization" | "token" | "userinfo", { readonly url: URL | undefined }>
  /** Makes requests like the flow does: with limits on time and size, over TLS, and without redirects. */
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>
}

/** The last parameter of `profile`, with which it can request more about the user. */
export type ProfileContext = Pick<UserinfoContext, "fetch">

/** The userinfo endpoint of a provider. */
export interface UserinfoEndpointOptions<P> extends EndpointOptions {
  /** Replaces the request (only for type `oauth`). */
  request?(context: UserinfoContext): Awaitable<P | unknown>
  /** Fixes a response that does not conform to the standard. Receives a copy. Return nothing to keep the response. */
  conform?: (response: Response) => Awaitable<Response | undefined>
}

/** Metadata of the client at the provider (RFC 7591 section 2). */
export interface ClientOptions {
  /**
   * How the client authenticates at the token endpoint.
   *
   * @defaultValue the first of `client_secret_basic`, `client_secret_post` and `client_secret_jwt` that the provider's
   * metadata lists; `private_key_jwt` with a `clientPrivateKey`; `client_secret_basic` without metadata
   */
  token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    // Any string, for objects with the inferred type `string`. An unknown method is refused when it is used.
    | (string & {})
  /**
   * The only algorithm that ID tokens may have. With `HS256`, the key is the client secret, which then needs at least
   * 32 bytes.
   *
   * @defaultValue the asymmetric ones in the provider's metadata
   */
  id_token_signed_response_alg?: string
  [metadata: string]: unknown
}

/**
 * The issuers of a provider that many tenants share. OpenID Connect requires only that ids are unique within an issuer,
 * but accounts are identified by provider and `sub`.
 */
export interface TenantIssuers {
  /**
   * Maps an `issuer` for several tenants to the issuer in its metadata. `{tenantid}` is the placeholder for the
   * tenant.
   */
  metadataIssuers: Readonly<Record<string, string>>
  /** The claim of the ID token that names the tenant, a UUID. */
  tenantClaim: string
  /**
   * States that no two tenants have the same `sub`, nor sessions with the same `sid`, as the documentation of the provider
   * says. Otherwise users of one tenant could sign in as users of another: configure a provider with its own `id` for
   * each tenant.
   */
  subjectsAreGlobal: true
}
