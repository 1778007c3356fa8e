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
import type { TokenEndpointClient } from "./oauth-context.ts"

/**
 * Creates the client authentication of one request.
 *
 * @throws InvalidProvider for an unknown method, or one whose secret or key is missing
 */
export async function createClientAuth(client: TokenEndpointClient): Promise<ClientAuth> {
  const { clientId, clientIdParameter: name } = client.provider
  const authenticate = await selectAuthMethod(client)
  if (name === "client_id") return authenticate
  return async (...request) => {
    await authenticate(...request)
    const [, , body] = request
    body.delete("client_id")
    body.set(name, clientId)
  }
}

async function selectAuthMethod({ provider, server }: TokenEndpointClient): Promise<ClientAuth> {
  const { id, issuer, clientId, token } = provider
  const { token_endpoint = "" } = server
  switch (provider.clientAuthMethod) {
    case "client_secret_basic":
      return clientSecretBasic(clientId, requireClientSecret(provider))
    case "client_secret_post":
      // A secret that expires is created just before it is sent.
      return ClientSecretPost(
        token.clientSecret ? await token.clientSecret(clientId) : requireClientSecret(provider),
      )
    case "client_secret_jwt": {
      const audience = issuer ? server.issuer : token_endpoint
      return ClientSecretJwt(requireClientSecret(provider), setAudience(audience))
    }
    case "private_key_jwt": {
      const expected = `provider ${id} to have \`token.clientPrivateKey\``
      if (!token.clientPrivateKey) throw new InvalidProvider({ provider: id, expected })
      const audience = issuer ? [server.issuer, token_endpoint] : [token_endpoint]
      // The type of oauth4webapi does not accept a `kid` that is undefined.
      return PrivateKeyJwt(token.clientPrivateKey as CryptoKey, setAudience(audience))
    }
    case "none":
      return None()
    default: {
      const expected = "`client.token_endpoint_auth_method` to be a method of OpenID Connect Core 9"
      throw new InvalidProvider({ provider: id, expected })
    }
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

/** RFC 6749 section 2.3.1. Not all providers decode escaped unreserved characters, so they stay unescaped. */
function clientSecretBasic(clientId: string, clientSecret: string): ClientAuth {
  const formEncode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+")
  const credentials = btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${credentials}`)
}

/** RFC 7523 section 3: providers expect their issuer, or their token endpoint, as audience. */
function setAudience(audience: string | string[]): ModifyAssertionOptions {
  return {
    [modifyAssertion](_header, payload) {
      payload["aud"] = audience
    },
  }
}
