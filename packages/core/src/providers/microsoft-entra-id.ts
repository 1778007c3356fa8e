import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** The claims that Microsoft Entra ID returns. */
export interface MicrosoftEntraIDProfile extends Profile {
  /** The id of the user for this application. */
  sub: string
  /** The tenant. */
  tid: string
  /** The id of the user in the tenant, the same for all applications. */
  oid?: string
  name?: string
  /** For display only: it can change and hold any value. */
  preferred_username?: string
  /** Set by an administrator of the tenant, unverified: see `xms_edov`. */
  email?: string
  /** Whether the owner of the address's domain was verified. An optional claim, which you add to the application. */
  xms_edov?: boolean | 0 | 1 | "0" | "1" | "true" | "false"
}

const host = "https://login.microsoftonline.com"
const anyTenant = `${host}/{tenantid}/v2.0`
/** The tenant of personal accounts. */
const personal = `${host}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`

/**
 * Sign-in with Microsoft Entra ID. The default `issuer` accepts the work, school and personal accounts of all tenants.
 * `https://login.microsoftonline.com/<tenant id>/v2.0` accepts those of one tenant.
 *
 * Addresses: verified only if the optional claim `xms_edov` confirms them, because an administrator of any tenant
 * can set any address.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 */
export default function microsoftEntraID(
  options: OIDCUserConfig<MicrosoftEntraIDProfile> = {},
): OIDCConfig<MicrosoftEntraIDProfile> {
  return {
    id: "microsoft-entra-id",
    name: "Microsoft Entra ID",
    type: "oidc",
    issuer: `${host}/common/v2.0`,
    tenants: {
      metadataIssuers: {
        [`${host}/common/v2.0`]: anyTenant,
        [`${host}/organizations/v2.0`]: anyTenant,
        [`${host}/consumers/v2.0`]: personal,
      },
      tenantClaim: "tid",
    },
    style: { brandColor: "#0072c6" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    emailVerified: ({ xms_edov }) => /^(?:1|true)$/.test(String(xms_edov)),
    options,
  }
}
