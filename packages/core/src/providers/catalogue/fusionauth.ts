import type { OIDCConfig } from "../types.ts"
import tenantidp, { type TenantIdpOptions, type TenantIdpProfile } from "./tenantidp.ts"

/** The claims that FusionAuth returns. */
export type FusionAuthProfile = TenantIdpProfile

/** The options of {@link fusionauth}. */
export type FusionAuthOptions = TenantIdpOptions

/**
 * Sign-in with FusionAuth: `tenantidp` under the name of the provider. It requires an `issuer`, the URL of your server,
 * which must also be the issuer in the settings of the tenant.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints
 */
export default function fusionauth(options: FusionAuthOptions = {}): OIDCConfig<FusionAuthProfile> {
  return {
    ...tenantidp(options),
    id: "fusionauth",
    name: "FusionAuth",
    style: { brandColor: "#f58320" },
  }
}
