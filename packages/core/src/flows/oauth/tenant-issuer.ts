/** The issuer of an ID token where tenants share a provider, each with an issuer of its own. */
import { decodeJwt, type JWK } from "jose"
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"

const tenantPlaceholder = "{tenantid}"
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The issuer that the ID token of a token answer must name: the provider's, or the one of the tenant that the
 * token says it is from. The token is not verified yet; its `iss` and its signature still are to be.
 *
 * @throws OAuthCallbackError when tenants share the provider and the token names none
 */
export async function resolveIssuer(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  response: Response,
): Promise<string> {
  if (provider.tenantClaim === undefined) return server.issuer
  const tenant = parseTenant(await response.clone().text(), provider.tenantClaim)
  // Nothing but a UUID: the tenant must not be able to write another issuer than its own.
  if (typeof tenant === "string" && uuidPattern.test(tenant)) {
    return server.issuer.replace(tenantPlaceholder, tenant)
  }
  throw new OAuthCallbackError({
    provider: provider.id,
    expected: `\`${provider.tenantClaim}\` in the ID token to name a tenant`,
  })
}

function parseTenant(responseText: string, claim: string): unknown {
  try {
    const { id_token }: Record<string, unknown> = JSON.parse(responseText)
    return decodeJwt(String(id_token))[claim]
  } catch {
    return undefined // an answer without a token, or none: refused for the missing tenant
  }
}

/**
 * Refuses a token signed by a key that belongs to another tenant: a shared key set says whose each key is.
 *
 * @throws OAuthCallbackError
 */
export function assertKeyBelongsToIssuer(
  provider: ResolvedOAuthProvider,
  key: JWK | undefined,
  claims: IDToken,
): void {
  const { tenantClaim } = provider
  // A member beyond those of RFC 7517, which is read as unknown.
  const { issuer: keyIssuer } = (key ?? {}) as { issuer?: unknown }
  if (tenantClaim === undefined || typeof keyIssuer !== "string") return
  if (keyIssuer.replace(tenantPlaceholder, String(claims[tenantClaim])) === claims.iss) return
  throw new OAuthCallbackError({
    provider: provider.id,
    expected: "the ID token to be signed by a key of its own issuer",
  })
}
