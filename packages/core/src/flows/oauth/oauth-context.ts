/** What the steps of a sign-in with an OAuth 2 or OpenID Connect provider share. */
import { buildActionUrl } from "../../http/action-url.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowContext } from "../flow-context.ts"
import type { MetadataCache, ProviderMetadata } from "./provider-metadata.ts"

export interface OAuthContext extends FlowContext {
  readonly provider: ResolvedOAuthProvider
  readonly getMetadata: MetadataCache
}

/** Returns this deployment's callback for the provider. */
export function getLocalRedirectUri({ request, provider, config }: OAuthContext): string {
  return buildActionUrl(request, config, `callback/${provider.id}`)
}

/** A provider with everything that a request to it needs. */
export interface ProviderClient extends ProviderMetadata {
  readonly provider: ResolvedOAuthProvider
  readonly fetch: ProviderFetch
}
