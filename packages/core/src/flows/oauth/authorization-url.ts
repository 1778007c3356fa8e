/** The authorization request (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1). */
import type { CoreServices } from "../../config/core-services.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { OAuthSignInError } from "../../errors.ts"
import type { SessionContext } from "../../http/action-request.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { LinkRequest } from "../flow-result.ts"
import type { ProviderMetadata } from "./provider-metadata.ts"
import { createState, resolveRedirectUri } from "./redirect-proxy.ts"
import { type OAuthTransaction, saveOAuthTransaction } from "./transaction.ts"

/** What a sign-in with a provider begins with. */
export interface AuthorizationUrlOptions {
  /** Where to go afterwards. */
  readonly callbackUrl: string
  /** This deployment's callback for the provider. */
  readonly localRedirectUri: string
  /** Parameters for the authorization request, beyond those of the provider. */
  readonly parameters: Readonly<Record<string, string>>
  readonly linkRequest: LinkRequest | undefined
}

/**
 * Begins a sign-in: the URL to send the browser to.
 *
 * @throws OAuthSignInError when the provider cannot be used
 */
export async function createAuthorizationUrl(
  context: SessionContext,
  provider: ResolvedOAuthProvider,
  metadata: ProviderMetadata,
  options: AuthorizationUrlOptions,
  services: CoreServices,
): Promise<string> {
  try {
    const server = await metadata.getServer()
    if (!server.authorization_endpoint) throw new TypeError("No authorization endpoint is known")
    const supportsPkce = server.code_challenge_methods_supported?.includes("S256") ?? false
    // A provider that does not say it checks PKCE may ignore it: the nonce then ties the code to us.
    const requiresNonce = provider.type === "oidc" && (!supportsPkce || !provider.usesPkce)
    const { redirectUri, isProxied } = resolveRedirectUri(provider, options.localRedirectUri)
    const state = await createState(services, isProxied, options.localRedirectUri)
    const transaction: OAuthTransaction = {
      provider: provider.id,
      ...(provider.usesPkce ? { codeVerifier: randomToken() } : {}),
      ...(provider.usesNonce || requiresNonce ? { nonce: randomToken() } : {}),
      callbackUrl: options.callbackUrl,
      redirectUri,
      ...(options.linkRequest ? { linkRequest: options.linkRequest } : {}),
    }
    await saveOAuthTransaction(context, services.sealer, state, transaction, provider.usesFormPost)
    const { codeVerifier, nonce } = transaction
    return addQueryParameters(server.authorization_endpoint, {
      response_type: "code",
      [provider.clientIdParameter]: provider.clientId,
      redirect_uri: redirectUri,
      ...provider.authorization.params,
      ...options.parameters,
      state,
      ...(codeVerifier ? await createCodeChallenge(codeVerifier) : {}),
      ...(nonce ? { nonce } : {}),
    })
  } catch (cause) {
    throw new OAuthSignInError("The sign-in could not be started.", {
      provider: provider.id,
      cause,
    })
  }
}

async function createCodeChallenge(verifier: string) {
  return {
    code_challenge: await sha256Base64Url(verifier), // RFC 7636 section 4.2
    code_challenge_method: "S256",
  }
}

function addQueryParameters(
  endpoint: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(endpoint)
  // Not `url.searchParams`: each change of it writes and parses the URL anew.
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(parameters)) query.set(name, value)
  url.search = query.toString()
  return url.href
}
