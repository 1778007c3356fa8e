/** How the client authenticates at the token endpoint (OpenID Connect Core 9). */
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  type ModifyAssertionOptions,
  modifyAssertion,
  None,
  PrivateKeyJwt,
} from "oauth4webapi"
import { describeValue } from "../../errors/describe-value.ts"
import { InvalidProvider } from "../../errors.ts"
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

/**
 * Returns how the client authenticates: as the application says, or else as the metadata of the provider does. Without
 * metadata, the default of OpenID Connect Discovery 1.0 section 3 is used.
 */
export function getAuthMethod({ provider, server }: TokenEndpointClient): string {
  const { token, clientAuthMethod } = provider
  if (clientAuthMethod) return clientAuthMethod
  const announced = getAnnouncedMethods(server)
  const methods = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "none"]
  const usable = token.clientPrivateKey ? ["private_key_jwt", ...methods] : methods
  return usable.find((each) => announced.includes(each)) ?? announced[0] ?? "client_secret_basic"
}

/** Returns the methods in the metadata of the provider, which is not checked when it is read. */
export function getAnnouncedMethods(server: AuthorizationServer): readonly string[] {
  const announced: unknown = server.token_endpoint_auth_methods_supported
  const isName = (each: unknown) => typeof each === "string" && /^\w{1,60}$/.test(each)
  return Array.isArray(announced) ? announced.filter(isName) : []
}

async function selectAuthMethod(client: TokenEndpointClient): Promise<ClientAuth> {
  const { provider, server } = client
  const { id, issuer, clientId, token } = provider
  const { token_endpoint = "" } = server
  const method = getAuthMethod(client)
  // A secret that expires is created just before it is sent.
  const secret = token.clientSecret ? await token.clientSecret(clientId) : provider.clientSecret
  switch (method) {
    case "client_secret_basic":
      return clientSecretBasic(clientId, requireClientSecret(id, secret))
    case "client_secret_post":
      return ClientSecretPost(requireClientSecret(id, secret))
    case "client_secret_jwt": {
      const audience = issuer ? server.issuer : token_endpoint
      return ClientSecretJwt(requireClientSecret(id, secret), setAudience(audience))
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
      throw new InvalidProvider({ provider: id, expected, received: describeValue(method) })
    }
  }
}

function requireClientSecret(provider: string, secret: string | undefined): string {
  if (secret) return secret
  throw new InvalidProvider({
    provider,
    expected: `provider ${provider} to have a \`clientSecret\``,
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
