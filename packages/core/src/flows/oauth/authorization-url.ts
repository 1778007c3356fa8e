/** The authorization request (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1). */
import type { CoreServices } from "../../config/core-services.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { OAuthSignInError } from "../../errors.ts"
import type { SessionContext } from "../../http/action-request.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { LinkRequest } from "../flow-result.ts"
import type { ProviderMetadata } from "./provider-metadata.ts"
import { createState, resolveRedirectUri } from "./redirect-proxy.ts"
import { createOAuthCookies, type OAuthTransaction } from "./transaction.ts"

export interface AuthorizationUrlOptions {
  /** Where the browser goes after the sign-in. */
  readonly callbackUrl: string
  /** Parameters for the authorization request, beyond those of the provider. */
  readonly parameters: Readonly<Record<string, string>>
  readonly linkRequest: LinkRequest | undefined
}

/**
 * Begins a sign-in and returns the URL to which the browser is redirected.
 *
 * @param localRedirectUri this deployment's callback for the provider
 * @throws OAuthSignInError when the provider cannot be used
 */
export async function createAuthorizationUrl(
  context: SessionContext,
  provider: ResolvedOAuthProvider,
  metadata: ProviderMetadata,
  localRedirectUri: string,
  { callbackUrl, parameters, linkRequest }: AuthorizationUrlOptions,
  { sealer }: CoreServices,
): Promise<string> {
  try {
    const server = await metadata.getServer()
    if (!server.authorization_endpoint) throw new TypeError("No authorization endpoint is known")
    const supportsPkce = server.code_challenge_methods_supported?.includes("S256") ?? false
    // A provider that does not announce PKCE may ignore it. Then the nonce binds the code to this sign-in.
    const needsNonce = provider.type === "oidc" && (!supportsPkce || !provider.usesPkce)
    const redirectUri = resolveRedirectUri(provider, localRedirectUri)
    const state = await createState(sealer, redirectUri, localRedirectUri)
    const codeVerifier = provider.usesPkce ? randomToken() : undefined
    const nonce = provider.usesNonce || needsNonce ? randomToken() : undefined
    const transaction: OAuthTransaction = {
      ...omitUndefined({ codeVerifier, nonce, linkRequest }),
      provider: provider.id,
      callbackUrl,
      redirectUri,
    }
    await createOAuthCookies(context, sealer, provider).save(state, transaction)
    return addQueryParameters(server.authorization_endpoint, {
      response_type: "code",
      [provider.clientIdParameter]: provider.clientId,
      redirect_uri: redirectUri,
      ...provider.authorization.params,
      ...parameters,
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

async function createCodeChallenge(codeVerifier: string): Promise<Record<string, string>> {
  // RFC 7636 section 4.2
  return { code_challenge: await sha256Base64Url(codeVerifier), code_challenge_method: "S256" }
}

function addQueryParameters(endpoint: string, parameters: Record<string, string>): string {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
