/** A provider's endpoints: configured, or discovered. */
import type { AuthorizationServer } from "oauth4webapi"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

/**
 * Takes each endpoint of a provider from the configuration, or else from the discovered metadata.
 *
 * @throws InvalidEndpoints when an endpoint is missing, or a discovered one is not allowed
 */
export async function loadMetadata(provider: ResolvedOAuthProvider): Promise<AuthorizationServer> {
  const discovered = needsDiscovery(provider) ? await discover(provider) : {}
  const server: AuthorizationServer = {
    // An OAuth 2 provider without an issuer: nothing is compared with this one.
    issuer: provider.issuer ?? "urn:latchkey:no-issuer",
    ...discovered,
    ...omitUndefined({
      authorization_endpoint: provider.authorization.url,
      token_endpoint: provider.token.url,
      userinfo_endpoint: provider.userinfo.url,
      jwks_uri: provider.jwksUri,
      end_session_endpoint: provider.endSessionUrl,
    }),
  }
  for (const name of ["authorization_endpoint", "token_endpoint"] as const) {
    if (server[name] !== undefined) continue
    const { createEndpointError } = await import("./discover-server.ts")
    throw createEndpointError(provider.id, name)
  }
  return server
}

async function discover(provider: ResolvedOAuthProvider): Promise<AuthorizationServer> {
  const { discoverServer } = await import("./discover-server.ts")
  return discoverServer(provider)
}

function needsDiscovery(provider: ResolvedOAuthProvider): boolean {
  const { authorization, token, userinfo, jwksUri } = provider
  if (!provider.issuer) return false
  if (!authorization.url || !token.url) return true
  if (provider.type === "oauth") return !userinfo.url && !userinfo.request
  return !jwksUri || (!provider.usesIdToken && !userinfo.url)
}
