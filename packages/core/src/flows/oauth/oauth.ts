/** Sign-in with OAuth 2 and OpenID Connect providers. */
import type { CoreServices } from "../../config/core-services.ts"
import type { ActionRequest, SessionContext } from "../../http/action-request.ts"
import { buildActionUrl } from "../../http/action-url.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowResult } from "../flow-result.ts"
import { type AuthorizationUrlOptions, createAuthorizationUrl } from "./authorization-url.ts"
import { completeOAuthFlow } from "./callback.ts"
import type { MetadataCache } from "./provider-metadata.ts"

export class OAuthFlow {
  readonly #services: CoreServices
  readonly #getMetadata: MetadataCache

  constructor(services: CoreServices, getMetadata: MetadataCache) {
    this.#services = services
    this.#getMetadata = getMetadata
  }

  /** Begins a sign-in and returns the URL to which the browser is redirected. */
  createAuthorizationUrl(
    context: SessionContext,
    provider: ResolvedOAuthProvider,
    options: AuthorizationUrlOptions,
  ): Promise<string> {
    const redirectUri = this.#getRedirectUri(context, provider)
    const metadata = this.#getMetadata(provider)
    return createAuthorizationUrl(context, provider, metadata, redirectUri, options, this.#services)
  }

  /** Proves an identity by the provider's response. */
  completeFlow(request: ActionRequest, provider: ResolvedOAuthProvider): Promise<FlowResult> {
    const redirectUri = this.#getRedirectUri(request, provider)
    const metadata = this.#getMetadata(provider)
    return completeOAuthFlow(request, provider, metadata, redirectUri, this.#services)
  }

  /** Returns this deployment's callback for a provider. */
  #getRedirectUri(context: SessionContext, { id }: ResolvedOAuthProvider): string {
    return buildActionUrl(context, this.#services.config, `callback/${id}`)
  }
}
