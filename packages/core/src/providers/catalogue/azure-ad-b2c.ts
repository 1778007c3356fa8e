import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Azure AD B2C returns. You choose them in the user flow. */
export interface AzureADB2CProfile extends ProviderClaims {
  sub: string
  /** The id of the user in the directory. */
  oid?: string
  name: string
  given_name?: string
  family_name?: string
  /** The addresses of the user, the first one of the account. */
  emails: string[]
  /** The name of the user flow. */
  tfp?: string
}

/**
 * Sign-in with Azure AD B2C. It requires the `issuer` of the user flow. In its properties, choose the issuer with
 * `/tfp/`:
 * `https://<tenant>.b2clogin.com/tfp/<tenant id>/<user flow>/v2.0/`. Otherwise set `wellKnown`, too.
 *
 * Addresses: Azure AD B2C does not say whether they are verified.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
 */
export default function azureADB2C(
  options: OIDCUserConfig<AzureADB2CProfile> = {},
): OIDCConfig<AzureADB2CProfile> {
  return {
    id: "azure-ad-b2c",
    name: "Azure AD B2C",
    type: "oidc",
    // Azure AD B2C issues an access token only for an API. The client id stands for the application itself.
    authorization: { params: { scope: "openid profile email {clientId}" } },
    style: { brandColor: "#0072c6", loadLogo: () => import("@latchkey/pages/logos/microsoft") },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.emails?.[0] ?? profile.email ?? null,
      image: null,
    }),
    options,
  }
}
