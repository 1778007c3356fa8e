/** How the client proves itself at the token endpoint (OpenID Connect Core 9). */
import {
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  type ModifyAssertionOptions,
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
  const { clientId, clientIdParameter: name } = provider
  const authenticate = methodOf(provider)
  if (name === "client_id") return authenticate
  return async (server, client, body, headers) => {
    await authenticate(server, client, body, headers)
    body.delete("client_id")
    body.set(name, clientId)
  }
}

function methodOf(provider: ResolvedOAuthProvider): ClientAuth {
  const method = provider.client.token_endpoint_auth_method ?? "client_secret_basic"
  switch (method) {
    case "client_secret_basic":
      return basic(provider.clientId, secretOf(provider))
    case "client_secret_post":
      return posted(provider)
    case "client_secret_jwt":
      return secretAssertion(provider)
    case "private_key_jwt":
      return keyAssertion(provider)
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

/** RFC 6749 section 2.3.1, in the body; a secret that expires is made just before it is used. */
function posted(provider: ResolvedOAuthProvider): ClientAuth {
  const { clientSecret: make } = provider.token
  if (!make) return ClientSecretPost(secretOf(provider))
  return async (...request) => ClientSecretPost(await make(provider.clientId))(...request)
}

/** RFC 6749 section 2.3.1. Providers differ on escaping unreserved characters; left alone, all read them. */
function basic(clientId: string, clientSecret: string): ClientAuth {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll("%20", "+")
  const credentials = btoa(`${encoded(clientId)}:${encoded(clientSecret)}`)
  return (_server, _client, _body, headers) => {
    headers.set("authorization", `Basic ${credentials}`)
  }
}

/** Without an issuer the provider is known by its token endpoint alone (RFC 7523 section 3). */
function secretAssertion(provider: ResolvedOAuthProvider): ClientAuth {
  const secret = secretOf(provider)
  return (server, ...rest) => {
    const options = provider.issuer ? {} : forAudience(server.token_endpoint ?? "")
    return ClientSecretJwt(secret, options)(server, ...rest)
  }
}

/** RFC 7523 section 3: providers expect their issuer, or their token endpoint, as audience. */
function keyAssertion(provider: ResolvedOAuthProvider): ClientAuth {
  const key = provider.token.clientPrivateKey
  if (!key) {
    throw new InvalidProvider({
      provider: provider.id,
      expected: `provider ${provider.id} to have \`token.clientPrivateKey\``,
    })
  }
  return (server, ...rest) => {
    const { issuer, token_endpoint = "" } = server
    const audience = provider.issuer ? [issuer, token_endpoint] : [token_endpoint]
    // oauth4webapi asks for a `kid` that is absent, not undefined.
    return PrivateKeyJwt(key as CryptoKey, forAudience(audience))(server, ...rest)
  }
}

function forAudience(audience: string | string[]): ModifyAssertionOptions {
  return {
    [modifyAssertion](_header, payload) {
      payload["aud"] = audience
    },
  }
}
