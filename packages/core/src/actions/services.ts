/** What the actions work with: the rooms below, set up for one configuration. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { described } from "../config/rule.ts"
import { InvalidProvider } from "../errors.ts"
import type { EmailFlow } from "../flows/email.ts"
import type { OAuthFlow } from "../flows/oauth/oauth.ts"
import type { WebAuthnFlow } from "../flows/webauthn/webauthn.ts"
import type { Exchange } from "../http/exchange.ts"
import type { Outcome } from "../http/outcome.ts"
import type { Place } from "../http/place.ts"
import { basePrefix } from "../http/route.ts"
import type { Pages } from "../pages/pages.ts"
import type { ResolvedProvider } from "../providers/resolved.ts"
import type { Sessions } from "../sessions/strategy.ts"

export interface Services {
  readonly config: ResolvedConfig
  readonly sessions: Sessions
  readonly oauth: OAuthFlow
  readonly email: EmailFlow
  readonly webauthn: WebAuthnFlow
  readonly pages: Pages
  /** Where a URL leads. Throws TypeError for what is none. */
  readonly placeOf: (url: string | URL) => Place
  /** The browser's word that a page of the own origin made a request does for a token. */
  readonly ownPagesSuffice: boolean
}

/** Who asks: a browser, whose form has to prove where it comes from, or the application's own code. */
export interface Caller {
  readonly kind: "browser" | "application"
  /** Parameters for the authorization request that application code gave. */
  readonly authorizationParams?: Iterable<readonly [string, string]>
}

export type Action = (exchange: Exchange, services: Services, caller: Caller) => Promise<Outcome>

/** The URL of an action of this deployment. */
export function actionUrl(exchange: Exchange, config: ResolvedConfig, path: string): string {
  return `${exchange.origin}${basePrefix(config.basePath)}/${path}`
}

/**
 * The provider that a request names; undefined when it names none.
 *
 * @throws InvalidProvider for a name that nobody has
 */
export function providerOf(
  exchange: Exchange,
  config: ResolvedConfig,
): ResolvedProvider | undefined {
  const { providerId } = exchange
  if (providerId === undefined) return undefined
  const provider = config.providers.get(providerId)
  if (provider) return provider
  throw new InvalidProvider({
    expected: "the id of a configured provider",
    came: described(providerId),
  })
}
