import type { TokenSet } from "../../types.ts"
import type { OIDCConfig, OIDCUserConfig, ProfileContext, ProviderClaims } from "../types.ts"

/** The claims that Microsoft Entra ID returns. */
export interface MicrosoftEntraIDProfile extends ProviderClaims {
  /** The id of the user for this application. */
  sub: string
  /** The tenant. */
  tid: string
  /** The id of the user in the tenant, the same for all applications. */
  oid: string
  name: string
  /** For display only: it can change and hold any value. */
  preferred_username: string
  /** Set by an administrator of the tenant, unverified: see `xms_edov`. */
  email: string
  given_name: string
  family_name: string
  /** Whether the owner of the address's domain was verified. An optional claim, which you add to the application. */
  xms_edov?: boolean | 0 | 1 | "0" | "1" | "true" | "false"
  roles?: string[]
  groups?: string[]
}

const host = "https://login.microsoftonline.com"
const anyTenant = `${host}/{tenantid}/v2.0`
/** The tenant of personal accounts. */
const personal = `${host}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`

/** The options of {@link microsoftEntraID}. */
export type MicrosoftEntraIDOptions = OIDCUserConfig<MicrosoftEntraIDProfile> & {
  /** The width and height of the picture in pixels. @defaultValue 48 */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | undefined
}

/**
 * Sign-in with Microsoft Entra ID. The picture comes from Microsoft Graph, as a data URL.
 *
 * The default `issuer` accepts the work, school and personal accounts of all tenants.
 * `https://login.microsoftonline.com/<tenant id>/v2.0` accepts those of one tenant.
 *
 * Addresses: verified only if the optional claim `xms_edov` confirms them, because an administrator of any tenant
 * can set any address.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 */
export default function microsoftEntraID(
  options: MicrosoftEntraIDOptions = {},
): OIDCConfig<MicrosoftEntraIDProfile> {
  const { profilePhotoSize = 48, ...rest } = options
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
      subjectsAreGlobal: true,
    },
    // Microsoft Graph requires User.Read for the picture.
    authorization: { params: { scope: "openid profile email User.Read" } },
    style: { brandColor: "#0072c6", loadLogo: () => import("@latchkey/pages/logos/microsoft") },
    profile: async (profile, tokens, context) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      // Other clouds have other servers, which the token is for.
      image: profile.iss?.startsWith(`${host}/`)
        ? await fetchPicture(tokens, context, profilePhotoSize)
        : null,
    }),
    emailVerified: ({ xms_edov }) => /^(?:1|true)$/.test(String(xms_edov)),
    options: rest,
  }
}

/** Not every user has a picture, and a sign-in must not depend on it. */
async function fetchPicture(
  { access_token }: TokenSet,
  context: ProfileContext | undefined,
  size: number,
): Promise<string | null> {
  if (access_token === undefined) return null
  const url = `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await context?.fetch(url, { headers }).catch(() => undefined)
  if (!response?.ok) return null
  const bytes = new Uint8Array(await response.arrayBuffer())
  return `data:image/jpeg;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`
}
