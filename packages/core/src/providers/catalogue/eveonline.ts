import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { fetchResource } from "../fetch-resource.ts"
import type { OAuthConfig, OAuthUserConfig, ProviderProfile, UserinfoContext } from "../types.ts"

/** The claims of an access token of EVE Online, and the character that they name. */
export interface EVEOnlineProfile extends ProviderProfile {
  /** `CHARACTER:EVE:` and the id of the character. */
  sub: string
  /** The name of the character. */
  name: string
  /** Changes when the character gets another owner. */
  owner: string
  CharacterID: string
  CharacterName: string
  CharacterOwnerHash: string
}

const login = "https://login.eveonline.com"

/**
 * Sign-in with EVE Online. An account is a character, which players can transfer: compare `CharacterOwnerHash` in the
 * `signIn` callback if a new owner must not get the user of the old one.
 *
 * Addresses: none.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 */
export default function eveOnline(
  options: OAuthUserConfig<EVEOnlineProfile> = {},
): OAuthConfig<EVEOnlineProfile> {
  return {
    id: "eveonline",
    name: "EVE Online",
    type: "oauth",
    authorization: {
      url: `${login}/v2/oauth/authorize`,
      params: { scope: "publicData" },
    },
    token: `${login}/v2/oauth/token`,
    userinfo: { request: verifyAccessToken },
    checks: ["state"],
    style: { brandColor: "#111111" },
    profile: (profile) => ({
      id: profile.CharacterID,
      name: profile.CharacterName ?? null,
      email: null,
      image: `https://images.evetech.net/characters/${profile.CharacterID}/portrait?size=128`,
    }),
    options,
  }
}

/** The access token is a signed JWT. Its issuer can be the host or the URL. */
async function verifyAccessToken(context: UserinfoContext): Promise<object> {
  const keys = await fetchResource<JSONWebKeySet>(context, `${login}/oauth/jwks`)
  const { payload } = await jwtVerify(
    String(context.tokens.access_token),
    createLocalJWKSet(keys),
    { issuer: ["login.eveonline.com", login], audience: "EVE Online" },
  )
  const { sub = "", name, owner } = payload
  const [, CharacterID] = /^CHARACTER:EVE:(\d+)$/.exec(sub) ?? []
  return { ...payload, CharacterID, CharacterName: name, CharacterOwnerHash: owner }
}
