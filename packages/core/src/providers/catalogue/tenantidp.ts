import type { Profile } from "../../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "../types.ts"

/** The claims that the tenant provider returns. */
export interface TenantIdpProfile extends Profile {
  at_hash: string
  aud: string
  authenticationType: string
  c_hash: string
  email: string
  email_verified: boolean
  exp: number
  iat: number
  iss: string
  jti: string
  scope: string
  sid: string
  sub: string
  family_name?: string
  given_name?: string
  middle_name?: string
  name?: string
  picture?: string
  preferred_username?: string
  [claim: string]: any
}

/** The options of {@link tenantidp}. */
export type TenantIdpOptions<P extends TenantIdpProfile = TenantIdpProfile> = OIDCUserConfig<P> & {
  /** The tenant whose theme and rules apply. Required if the provider serves several tenants. */
  tenantId?: string | undefined
}

/**
 * The tenant-based OpenID Connect provider.
 *
 * `issuer` can also come from the environment (`AUTH_TENANTIDP_ISSUER`). The endpoints are derived from it.
 */
export default function tenantidp<P extends TenantIdpProfile>(
  options: TenantIdpOptions<P> = {},
): OIDCConfig<P> {
  const { tenantId, ...rest } = options
  const issuer = rest.issuer?.replace(/\/$/, "") ?? "{issuer}"
  const tenant = tenantId === undefined ? "" : `?tenantId=${encodeURIComponent(tenantId)}`
  return {
    id: "tenantidp",
    name: "Tenant ID",
    type: "oidc",
    wellKnown: `${issuer}/.well-known/openid-configuration${tenant}`,
    authorization: {
      params: {
        scope: "offline_access email openid profile",
        ...(tenantId === undefined ? {} : { tenantId }),
      },
    },
    token: { url: `${issuer}/oauth2/token`, conform: removeChallengeHeader },
    userinfo: `${issuer}/oauth2/userinfo`,
    client: { id_token_signed_response_alg: "RS256" },
    checks: ["pkce", "state"],
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? formatFullName(profile),
      email: profile.email,
      image: profile.picture ?? null,
    }),
    options: rest,
  }
}

function formatFullName(profile: TenantIdpProfile): string | null {
  const names = [profile.given_name, profile.middle_name, profile.family_name].filter(Boolean)
  return names.join(" ") || null
}

/** Removes the challenge from responses other than 401, where it has no meaning (RFC 9110 section 11.6.1). */
function removeChallengeHeader(response: Response): Response {
  if (response.status === 401) return response
  const headers = new Headers(response.headers)
  headers.delete("www-authenticate")
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}
