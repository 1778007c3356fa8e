import type { Profile } from "../types.ts"
import type { OIDCConfig, OIDCUserConfig } from "./types.ts"

/** Claims that Microsoft Entra ID gives about a person. */
export interface MicrosoftEntraIDProfile extends Profile {
  /** Of this person for this application. */
  sub: string
  /** The tenant. */
  tid: string
  /** The person in the tenant, the same for all applications. */
  oid?: string
  name?: string
  /** For showing only: it changes, and may be anything. */
  preferred_username?: string
  /** Whatever an administrator of the tenant wrote: see `xms_edov`. */
  email?: string
  /** Whether the owner of the address's domain was verified; an optional claim, to be added to the application. */
  xms_edov?: boolean | 0 | 1 | "0" | "1" | "true" | "false"
}

const host = "https://login.microsoftonline.com"
const anyTenant = `${host}/{tenantid}/v2.0`
/** The tenant of personal accounts. */
const personal = `${host}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`

/**
 * Sign-in with Microsoft Entra ID. The default `issuer` admits work, school and personal accounts of everybody;
 * `https://login.microsoftonline.com/<tenant id>/v2.0` admits those of one tenant.
 *
 * Addresses: denied unless the optional claim `xms_edov` confirms them, because an administrator of any tenant
 * can write any address.
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
