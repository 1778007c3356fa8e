/** How the client proves itself at the token endpoint (OpenID Connect Core 9). */
import {
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  modifyAssertion,
  None,
  PrivateKeyJwt,
} from "oauth4webapi"
import { InvalidProvider } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"

/**
 * The client authentication of a provider.
 *
 * @throws InvalidProvider for an unknown method, or one whose secret or key is missing
 */
export function clientAuthOf(provider: ResolvedOAuthProvider): ClientAuth {
  const method = provider.client.token_endpoint_auth_method ?? "client_secret_basic"
  switch (method) {
    case "client_secret_basic":
      return basic(provider.clientId, secretOf(provider))
    case "client_secret_post":
      return ClientSecretPost(secretOf(provider))
    case "client_secret_jwt":
      return ClientSecretJwt(secretOf(provider))
    case "private_key_jwt":
      return assertion(provider)
    case "none":
      return None()
    default:
      throw new InvalidProvider({
        provider: provider.id,
        expected: "`client.token_endpoint_auth_method` to be a method of OpenID Connect Core 9",
      })
  }
}

function secretOf(provider: ResolvedOAuthProvider): string {
  if (provider.clientSecret) return provider.clientSecret
  throw new InvalidProvider({
    provider: provider.id,
    expected: `provider ${provider.id} to have a \`clientSecret\``,
    hint: 'A public client sets `client: { token_endpoint_auth_method: "none" }`.',
  })
}

/** RFC 6749 section 2.3.1. Providers differ on escaping unreserved characters; left alone, all read them. */
function basic(clientId: string, clientSecret: string): ClientAuth {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll("%20", "+")
  const credentials = btoa(`${encoded(clientId)}:${encoded(clientSecret)}`)
  return (_server, _client, _body, headers) => {
    headers.set("authorization", `Basic ${credentials}`)
  }
}

/** RFC 7523 section 3: providers expect their issuer, or their token endpoint, as audience. */
function assertion(provider: ResolvedOAuthProvider): ClientAuth {
  const key = provider.token.clientPrivateKey
  if (!key) {
    throw new InvalidProvider({
      provider: provider.id,
      expected: `provider ${provider.id} to have \`token.clientPrivateKey\``,
    })
  }
  return (server, ...rest) => {
    const audience = [server.issuer, server.token_endpoint ?? ""]
    const options = {
      [modifyAssertion](_header: unknown, payload: Record<string, unknown>) {
        payload["aud"] = audience
      },
    }
    // oauth4webapi asks for a `kid` that is absent, not undefined.
    return PrivateKeyJwt(key as CryptoKey, options)(server, ...rest)
  }
}
