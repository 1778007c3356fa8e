/** What the steps of a sign-in with an OAuth 2 or OpenID Connect provider share. */
import type { CoreServices } from "../../config/core-services.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { buildActionUrl } from "../../http/action-url.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { MetadataCache, ProviderMetadata } from "./provider-metadata.ts"

export interface OAuthContext {
  readonly request: ActionRequest
  readonly provider: ResolvedOAuthProvider
  readonly services: CoreServices & { readonly getMetadata: MetadataCache }
}

/** Returns this deployment's callback for the provider. */
export function getLocalRedirectUri({ request, provider, services }: OAuthContext): string {
  return buildActionUrl(request, services.config, `callback/${provider.id}`)
}

/** A provider with everything that a request to it needs. */
export interface ProviderClient extends ProviderMetadata {
  readonly provider: ResolvedOAuthProvider
  readonly fetch: ProviderFetch
}
