import socialidp, { type SocialIdpOptions, type SocialIdpProfile } from "./socialidp.ts"
import type { OAuthConfig } from "./types.ts"

/** What Yandex says of a person. */
export type YandexProfile = SocialIdpProfile

/** Options of {@link yandex}. */
export type YandexOptions = SocialIdpOptions

/**
 * Sign-in with Yandex: what `socialidp` does, under the provider's own name.
 *
 * Addresses: Yandex says nothing of them.
 *
 * @see https://yandex.com/dev/id/doc/en/
 */
export default function yandex(options: YandexOptions = {}): OAuthConfig<YandexProfile> {
  return { ...socialidp(options), id: "yandex", name: "Yandex" }
}
