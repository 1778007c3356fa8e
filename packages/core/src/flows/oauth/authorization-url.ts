/** The authorization request (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1). */
import { sha256Base64Url } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { OAuthSignInError } from "../../errors.ts"
import type { NewOAuthSignIn, OAuthContext, OAuthTransaction } from "./oauth-context.ts"
import { createRedirect } from "./redirect-proxy.ts"
import { getOAuthCookies } from "./transaction.ts"

/**
 * Begins a sign-in and returns the URL to which the browser is redirected.
 *
 * @param parameters for the authorization request, beyond those of the provider
 * @throws OAuthSignInError when the provider cannot be used
 */
export async function createAuthorizationUrl(
  context: OAuthContext,
  parameters: Readonly<Record<string, string>>,
  signIn: NewOAuthSignIn,
): Promise<string> {
  const { provider } = context
  try {
    const server = await context.getMetadata(provider)
    const supportsPkce = server.code_challenge_methods_supported?.includes("S256") ?? false
    // A provider that does not announce PKCE may ignore it. Then the nonce binds the code to this sign-in.
    const hasPkce = supportsPkce && provider.usesPkce
    const needsNonce = provider.type === "oidc" && !hasPkce && !provider.omitsNonce
    const { redirectUri, state } = await createRedirect(context)
    const codeVerifier = provider.usesPkce ? randomToken() : undefined
    const nonce = provider.usesNonce || needsNonce ? randomToken() : undefined
    const transaction: OAuthTransaction = {
      ...signIn,
      provider: provider.id,
      codeVerifier,
      nonce,
      redirectUri,
    }
    await getOAuthCookies(context).save(state, transaction)
    const { origin, pathname, searchParams } = new URL(server.authorization_endpoint ?? "")
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
    // The endpoint may have a query, and has no fragment (RFC 6749 section 3.1).
    const ownParams = [...searchParams].filter(([name]) => !Object.hasOwn(query, name))
    return `${origin}${pathname}?${new URLSearchParams([...ownParams, ...Object.entries(query)])}`
  } catch (cause) {
    const message = "The sign-in could not be started."
    throw new OAuthSignInError(message, { provider: provider.id, cause })
  }
}
