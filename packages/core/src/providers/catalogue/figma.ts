import type { OAuthConfig, OAuthUserConfig, ProviderProfile } from "../types.ts"

/** A user profile of Figma. */
export interface FigmaProfile extends ProviderProfile {
  id: string
  handle: string
  email: string
  img_url: string
}

/**
 * Sign-in with Figma.
 *
 * Addresses: Figma does not say whether they are verified.
 *
 * @see https://developers.figma.com/docs/rest-api/authentication/
 */
export default function figma(
  options: OAuthUserConfig<FigmaProfile> = {},
): OAuthConfig<FigmaProfile> {
  return {
    id: "figma",
    name: "Figma",
    type: "oauth",
    authorization: {
      url: "https://www.figma.com/oauth",
      params: { scope: "current_user:read" },
    },
    token: "https://api.figma.com/v1/oauth/token",
    userinfo: "https://api.figma.com/v1/me",
    checks: ["state"],
    style: { brandColor: "#1e1e1e", loadLogo: () => import("@latchkey/pages/logos/figma") },
    profile: (profile) => ({
      id: profile.id,
      name: profile.handle ?? null,
      email: profile.email ?? null,
      image: profile.img_url ?? null,
    }),
    options,
  }
}
