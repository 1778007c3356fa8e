/** The issuer of an ID token where tenants share a provider, each with an issuer of its own. */
import { decodeJwt } from "jose"
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { ProviderClient } from "./oauth-context.ts"

const tenantPlaceholder = "{tenantid}"
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the issuer that an ID token must name: the provider's, or that of the tenant in the token. The token is not
 * verified at this point: its `iss` and its signature are checked later.
 *
 * @throws OAuthCallbackError when tenants share the provider and the token does not name one
 */
export function resolveIssuer(
  { id, tenantClaim }: ResolvedOAuthProvider,
  server: AuthorizationServer,
  idToken: unknown,
): string {
  if (tenantClaim === undefined) return server.issuer
  const tenant = readClaim(String(idToken), tenantClaim)
  // Only a UUID, so that the tenant cannot write an issuer other than its own.
  if (typeof tenant === "string" && uuidPattern.test(tenant)) {
    return server.issuer.replace(tenantPlaceholder, tenant)
  }
  const expected = `\`${tenantClaim}\` in the ID token to name a tenant`
  throw new OAuthCallbackError({ provider: id, expected })
}

function readClaim(idToken: string, claim: string): unknown {
  try {
    return decodeJwt(idToken)[claim]
  } catch {
    return undefined // not a JWT: refused because it names no tenant
  }
}

/** Whether a key may sign for the issuer of a token: a key set that tenants share says whose each key is. */
export function isKeyOfIssuer(
  { provider: { tenantClaim }, listKeys }: ProviderClient,
  kid: string | undefined,
  claims: IDToken,
): boolean {
  if (tenantClaim === undefined) return true
  // `issuer` is not in RFC 7517, so its type is unknown.
  const { issuer } = (listKeys().find((key) => key.kid === kid) ?? {}) as { issuer?: unknown }
  if (typeof issuer !== "string") return true
  return issuer.replace(tenantPlaceholder, String(claims[tenantClaim])) === claims.iss
}
