import { fetchResource } from "../fetch-resource.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Dropbox. */
export interface DropboxProfile extends ProviderProfile {
  account_id: string
  name: { display_name: string; given_name?: string; surname?: string }
  email: string
  email_verified: boolean
  profile_photo_url?: string
}

const account = "https://api.dropboxapi.com/2/users/get_current_account"

/**
 * Sign-in with Dropbox.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @see https://developers.dropbox.com/oauth-guide
 */
export default function dropbox(
  options: OAuthUserConfig<DropboxProfile> = {},
): OAuthConfig<DropboxProfile> {
  return {
    id: "dropbox",
    name: "Dropbox",
    type: "oauth",
    authorization: {
      url: "https://www.dropbox.com/oauth2/authorize",
      params: { scope: "account_info.read", token_access_type: "offline" },
    },
    token: "https://api.dropboxapi.com/oauth2/token",
    // All its endpoints require POST.
    userinfo: {
      url: account,
      request: (context) => fetchResource(context, account, { method: "POST" }),
    },
    style: { brandColor: "#0061ff", loadLogo: () => import("@latchkey/pages/logos/dropbox") },
    profile: (profile) => ({
      id: profile.account_id,
      name: profile.name.display_name,
      email: profile.email,
      image: profile.profile_photo_url ?? null,
    }),
    options,
  }
}
