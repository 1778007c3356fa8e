/** The authorization request (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1). */
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import { sha256Base64Url } from "../../crypto/digest.ts"
import { randomToken } from "../../crypto/random.ts"
import { OAuthSignInError } from "../../errors.ts"
import type { Visit } from "../../http/exchange.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { LinkRequest } from "../proof.ts"
import type { Metadata } from "./metadata.ts"
import { createState, returnTo } from "./redirect-proxy.ts"
import { beginTransaction } from "./transaction.ts"

/** What a sign-in with a provider begins with. */
export interface Beginning {
  /** Where to go afterwards. */
  readonly callbackUrl: string
  /** This deployment's callback for the provider. */
  readonly ownCallback: string
  /** Parameters for the authorization request, beyond those of the provider. */
  readonly parameters: Readonly<Record<string, string>>
  readonly link: LinkRequest | undefined
}

/**
 * Begins a sign-in: the URL to send the browser to.
 *
 * @throws OAuthSignInError when the provider cannot be used
 */
export async function authorize(
  visit: Visit,
  provider: ResolvedOAuthProvider,
  metadata: Metadata,
  beginning: Beginning,
  config: ResolvedConfig,
): Promise<string> {
  try {
    const server = await metadata.server()
    if (!server.authorization_endpoint) throw new TypeError("No authorization endpoint is known")
    const announcesPkce = server.code_challenge_methods_supported?.includes("S256") ?? false
    // A provider that does not say it checks PKCE may ignore it: the nonce then ties the code to us.
    const withNonce = provider.type === "oidc" && (!announcesPkce || !provider.pkce)
    const { redirectUri, proxied } = returnTo(provider, beginning.ownCallback)
    const state = await createState(config, proxied, beginning.ownCallback)
    const transaction = {
      provider: provider.id,
      ...(provider.pkce ? { verifier: randomToken() } : {}),
      ...(provider.nonce || withNonce ? { nonce: randomToken() } : {}),
      callbackUrl: beginning.callbackUrl,
      redirectUri,
      ...(beginning.link ? { link: beginning.link } : {}),
    }
    await beginTransaction(visit, config.sealer, state, transaction, provider.formPost)
    const { verifier, nonce } = transaction
    return request(server.authorization_endpoint, {
      response_type: "code",
      [provider.clientIdParameter]: provider.clientId,
      redirect_uri: redirectUri,
      ...provider.authorization.params,
      ...beginning.parameters,
      state,
      ...(verifier ? await challengeOf(verifier) : {}),
      ...(nonce ? { nonce } : {}),
    })
  } catch (cause) {
    throw new OAuthSignInError("The sign-in could not be started.", {
      provider: provider.id,
      cause,
    })
  }
}

async function challengeOf(verifier: string) {
  return {
    code_challenge: await sha256Base64Url(verifier), // RFC 7636 section 4.2
    code_challenge_method: "S256",
  }
}

function request(endpoint: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(endpoint)
  // Not `url.searchParams`: each change of it writes and parses the URL anew.
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(parameters)) query.set(name, value)
  url.search = query.toString()
  return url.href
}
