/** The issuer of an ID token from a provider that several tenants share. Each tenant has its own issuer. */
import { createLocalJWKSet, decodeJwt, type JWK } from "jose"
import type { AuthorizationServer } from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { KeyClient, ProviderClient } from "./oauth-context.ts"

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
  // Only a UUID, because any other text could change the rest of the URL.
  if (typeof tenant === "string" && uuidPattern.test(tenant)) {
    return server.issuer.replace(tenantPlaceholder, tenant)
  }
  const expected = `\`${tenantClaim}\` in the ID token to name a tenant`
  throw new OAuthCallbackError({ provider: id, expected })
}

/** Returns the tenant in an issuer; undefined for an issuer that is none of the provider's tenants. */
export function findTenant(
  issuer: string,
  { issuer: template }: AuthorizationServer,
): string | undefined {
  const [start = "", end = ""] = template.split(tenantPlaceholder)
  const tenant = issuer.slice(start.length, issuer.length - end.length)
  return uuidPattern.test(tenant) && issuer === start + tenant + end ? tenant : undefined
}

function readClaim(idToken: string, claim: string): unknown {
  try {
    return decodeJwt(idToken)[claim]
  } catch {
    return undefined // not a JWT: refused because it names no tenant
  }
}

/**
 * Returns the resolver for the keys that may sign for the issuer of a token. In a key set that tenants share, each key
 * names its issuer. Keys of other issuers are left out, because a token without a key id is checked against every key.
 */
export function getKeysOfIssuer(
  { provider: { tenantClaim }, getKey, listKeys }: KeyClient,
  claims: Readonly<Record<string, unknown>>,
): ProviderClient["getKey"] {
  if (tenantClaim === undefined) return getKey
  const isOwn = (key: JWK) => {
    const { issuer } = key as { issuer?: unknown } // not in RFC 7517, so its type is unknown
    if (typeof issuer !== "string") return true
    return issuer.replace(tenantPlaceholder, String(claims[tenantClaim])) === claims.iss
  }
  return async (...token) => {
    await getKey(...token) // fetches the keys that are listed
    return createLocalJWKSet({ keys: listKeys().filter(isOwn) })(...token)
  }
}
