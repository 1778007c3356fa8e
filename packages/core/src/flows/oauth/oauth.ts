/** Sign-in with OAuth 2 and OpenID Connect providers. */
import type { CoreServices } from "../../config/core-services.ts"
import type { ActionRequest, SessionContext } from "../../http/action-request.ts"
import { stripTrailingSlash } from "../../http/route.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowResult, LinkRequest } from "../flow-result.ts"
import { createAuthorizationUrl } from "./authorization-url.ts"
import { completeOAuthFlow } from "./callback.ts"
import type { MetadataCache } from "./metadata-cache.ts"

export interface OAuthFlow {
  /** The URL to send the browser to. */
  createAuthorizationUrl(
    context: SessionContext,
    provider: ResolvedOAuthProvider,
    options: {
      readonly callbackUrl: string
      readonly parameters: Readonly<Record<string, string>>
      readonly linkRequest: LinkRequest | undefined
    },
  ): Promise<string>
  completeFlow(request: ActionRequest, provider: ResolvedOAuthProvider): Promise<FlowResult>
}

/** Creates the flow; metadata and keys are remembered per configured provider. */
export function createOAuthFlow(services: CoreServices, getMetadata: MetadataCache): OAuthFlow {
  const getLocalRedirectUri = (context: SessionContext, { id }: ResolvedOAuthProvider): string =>
    `${context.origin}${stripTrailingSlash(services.config.basePath)}/callback/${id}`
  return {
    createAuthorizationUrl(context, provider, options) {
      const localRedirectUri = getLocalRedirectUri(context, provider)
      return createAuthorizationUrl(
        context,
        provider,
        getMetadata(provider),
        { ...options, localRedirectUri },
        services,
      )
    },
    completeFlow(request, provider) {
      const localRedirectUri = getLocalRedirectUri(request, provider)
      return completeOAuthFlow(request, provider, getMetadata(provider), localRedirectUri, services)
    },
  }
}
