import type { OAuthConfig } from "../types.ts"
import socialidp, { type SocialIdpOptions, type SocialIdpProfile } from "./socialidp.ts"

/** A user profile of Yandex. */
export type YandexProfile = SocialIdpProfile

/** The options of {@link yandex}. */
export type YandexOptions = SocialIdpOptions

/**
 * Sign-in with Yandex: `socialidp` under the name of the provider.
 *
 * Addresses: Yandex does not say whether they are verified.
 *
 * @see https://yandex.com/dev/id/doc/en/
 */
export default function yandex(options: YandexOptions = {}): OAuthConfig<YandexProfile> {
  return { ...socialidp(options), id: "yandex", name: "Yandex" }
}
