/** The issuer of an ID token where tenants share a provider, each with an issuer of its own. */
import { decodeJwt, type JWK } from "jose"
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { OAuthCallbackError } from "../../errors.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"

const placeholder = "{tenantid}"
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The issuer that the ID token of a token answer must name: the provider's, or the one of the tenant that the
 * token says it is from. The token is not verified yet; its `iss` and its signature still are to be.
 *
 * @throws OAuthCallbackError when tenants share the provider and the token names none
 */
export async function issuerOf(
  provider: ResolvedOAuthProvider,
  server: AuthorizationServer,
  answer: Response,
): Promise<string> {
  if (provider.tenantClaim === undefined) return server.issuer
  const tenant = tenantIn(await answer.clone().text(), provider.tenantClaim)
  // Nothing but a UUID: the tenant must not be able to write another issuer than its own.
  if (typeof tenant === "string" && uuid.test(tenant)) {
    return server.issuer.replace(placeholder, tenant)
  }
  throw new OAuthCallbackError({
    provider: provider.id,
    expected: `\`${provider.tenantClaim}\` in the ID token to name a tenant`,
  })
}

function tenantIn(answer: string, claim: string): unknown {
  try {
    const { id_token }: Record<string, unknown> = JSON.parse(answer)
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
export function assertKeyOfIssuer(
  provider: ResolvedOAuthProvider,
  key: JWK | undefined,
  claims: IDToken,
): void {
  const { tenantClaim } = provider
  // A member beyond those of RFC 7517, which is read as unknown.
  const { issuer: owner } = (key ?? {}) as { issuer?: unknown }
  if (tenantClaim === undefined || typeof owner !== "string") return
  if (owner.replace(placeholder, String(claims[tenantClaim])) === claims.iss) return
  throw new OAuthCallbackError({
    provider: provider.id,
    expected: "the ID token to be signed by a key of its own issuer",
  })
}
