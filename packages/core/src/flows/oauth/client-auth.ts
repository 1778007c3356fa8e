/** How the client authenticates at the token endpoint (OpenID Connect Core 9). */
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
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/**
 * Creates the client authentication of a provider.
 *
 * @throws InvalidProvider for an unknown method, or one whose secret or key is missing
 */
export function createClientAuth(provider: ResolvedOAuthProvider): ClientAuth {
  const { clientId, clientIdParameter: name } = provider
  const authenticate = selectAuthMethod(provider)
  if (name === "client_id") return authenticate
  return async (server, client, body, headers) => {
    await authenticate(server, client, body, headers)
    body.delete("client_id")
    body.set(name, clientId)
  }
}

function selectAuthMethod(provider: ResolvedOAuthProvider): ClientAuth {
  switch (provider.clientAuthMethod) {
    case "client_secret_basic":
      return clientSecretBasic(provider.clientId, requireClientSecret(provider))
    case "client_secret_post":
      return clientSecretPost(provider)
    case "client_secret_jwt":
      return clientSecretJwt(provider)
    case "private_key_jwt":
      return privateKeyJwt(provider)
    case "none":
      return None()
    default:
      throw new InvalidProvider({
        provider: provider.id,
        expected: "`client.token_endpoint_auth_method` to be a method of OpenID Connect Core 9",
      })
  }
}

function requireClientSecret({ id, clientSecret }: ResolvedOAuthProvider): string {
  if (clientSecret) return clientSecret
  throw new InvalidProvider({
    provider: id,
    expected: `provider ${id} to have a \`clientSecret\``,
    hint: 'A public client sets `client: { token_endpoint_auth_method: "none" }`.',
  })
}

/** RFC 6749 section 2.3.1, in the body. A secret that expires is created just before it is sent. */
function clientSecretPost(provider: ResolvedOAuthProvider): ClientAuth {
  const { clientSecret: createClientSecret } = provider.token
  if (!createClientSecret) return ClientSecretPost(requireClientSecret(provider))
  return async (...request) =>
    ClientSecretPost(await createClientSecret(provider.clientId))(...request)
}

/** RFC 6749 section 2.3.1. Not all providers decode escaped unreserved characters, so they stay unescaped. */
function clientSecretBasic(clientId: string, clientSecret: string): ClientAuth {
  const formEncode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+")
  const credentials = btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${credentials}`)
}

/** RFC 7523 section 3: a provider without an issuer is identified by its token endpoint. */
function clientSecretJwt(provider: ResolvedOAuthProvider): ClientAuth {
  const secret = requireClientSecret(provider)
  return (server, ...rest) => {
    const options = provider.issuer ? {} : overrideAudience(server.token_endpoint ?? "")
    return ClientSecretJwt(secret, options)(server, ...rest)
  }
}

/** RFC 7523 section 3: providers expect their issuer, or their token endpoint, as audience. */
function privateKeyJwt({ id, issuer, token }: ResolvedOAuthProvider): ClientAuth {
  const key = token.clientPrivateKey
  if (!key) {
    const expected = `provider ${id} to have \`token.clientPrivateKey\``
    throw new InvalidProvider({ provider: id, expected })
  }
  return (server, ...rest) => {
    const { token_endpoint = "" } = server
    const audience = issuer ? [server.issuer, token_endpoint] : [token_endpoint]
    // The type of oauth4webapi does not accept a `kid` that is undefined.
    return PrivateKeyJwt(key as CryptoKey, overrideAudience(audience))(server, ...rest)
  }
}

function overrideAudience(audience: string | string[]): ModifyAssertionOptions {
  return {
    [modifyAssertion](_header, payload) {
      payload["aud"] = audience
    },
  }
}
