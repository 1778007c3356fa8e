import type { OIDCConfig, OIDCUserConfig, ProviderClaims } from "../types.ts"

/** The claims that Battle.net returns. */
export interface BattleNetProfile extends ProviderClaims {
  sub: string
  /** The name of the player and a number: `Ada#1234`. */
  battle_tag: string
}

/** The issuers of the regions. */
export type BattleNetIssuer = "https://oauth.battle.net" | "https://oauth.battlenet.com.cn"

/**
 * Sign-in with Battle.net. In China, set `issuer` to `https://oauth.battlenet.com.cn`.
 *
 * Addresses: none.
 *
 * @see https://develop.battle.net/documentation/guides/using-oauth
 */
export default function battleNet(
  options: OIDCUserConfig<BattleNetProfile> = {},
): OIDCConfig<BattleNetProfile> {
  return {
    id: "battlenet",
    name: "Battle.net",
    type: "oidc",
    issuer: "https://oauth.battle.net",
    authorization: { params: { scope: "openid" } },
    style: { brandColor: "#148eff" },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.battle_tag ?? null,
      email: null,
      image: null,
    }),
    options,
  }
}
