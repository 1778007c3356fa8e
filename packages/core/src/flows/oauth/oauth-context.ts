/** The context that the steps of a sign-in with an OAuth 2 or OpenID Connect provider share. */
import type { AuthorizationServer } from "oauth4webapi"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowData } from "../../types.ts"
import type { FlowContext } from "../flow-context.ts"
import type { LinkRequest } from "../flow-result.ts"
import type { MetadataCache } from "./metadata-cache.ts"
import type { ProviderKeys } from "./provider-keys.ts"
import type { RequestedAuthentication } from "./requested-authentication.ts"

export interface OAuthContext extends FlowContext {
  readonly provider: ResolvedOAuthProvider
  readonly getMetadata: MetadataCache
}

/** The state that a sign-in begins with. */
export interface NewOAuthSignIn {
  /** Where the browser goes after the sign-in. */
  readonly callbackUrl: string
  readonly linkRequest: LinkRequest | undefined
  readonly flow: FlowData | undefined
  readonly rememberMe: boolean | undefined
  readonly authentication: RequestedAuthentication | undefined
}

/** A pending sign-in: the values that the callback needs. */
export interface OAuthTransaction extends NewOAuthSignIn {
  /** Id of the provider. */
  readonly provider: string
  /** PKCE (RFC 7636). Absent when the provider does not use it. */
  readonly codeVerifier?: string | undefined
  /** OpenID Connect Core 3.1.2.1. Absent when PKCE replaces it. */
  readonly nonce?: string | undefined
  readonly redirectUri: string
  /** When the sign-in began, in seconds since 1970. The sealer adds it. */
  readonly iat?: number
}

/** Everything that a request to the token endpoint needs. */
export interface TokenEndpointClient {
  readonly provider: ResolvedOAuthProvider
  /** The endpoints in effect. */
  readonly server: AuthorizationServer
  readonly fetch: ProviderFetch
}

/** A provider with the keys that sign its tokens. */
export type KeyClient = ProviderKeys & Pick<TokenEndpointClient, "provider" | "server">

/** A pending sign-in with everything that a request to its provider needs. */
export interface ProviderClient extends ProviderKeys, TokenEndpointClient {
  readonly transaction: OAuthTransaction
}
