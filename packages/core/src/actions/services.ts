/** What the actions work with: the rooms below, set up for one configuration. */

import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import { InvalidProvider } from "../errors.ts"
import type { EmailFlow } from "../flows/email.ts"
import type { OAuthFlow } from "../flows/oauth/oauth.ts"
import type { WebAuthnFlow } from "../flows/webauthn/webauthn.ts"
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import type { CsrfTokens } from "../http/csrf.ts"
import type { RequestTarget } from "../http/request-target.ts"
import { stripTrailingSlash } from "../http/route.ts"
import type { Pages } from "../pages/pages.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { SessionStrategy } from "../sessions/session-strategy.ts"

export interface Services extends CoreServices {
  readonly csrf: CsrfTokens
  readonly sessions: SessionStrategy
  readonly oauth: OAuthFlow
  readonly email: EmailFlow
  readonly webauthn: WebAuthnFlow
  readonly pages: Pages
  /** Where a URL leads. Throws TypeError for what is none. */
  readonly resolveTarget: (url: string | URL) => RequestTarget
  /** The browser's word that a page of the own origin made a request does for a token. */
  readonly trustSameOrigin: boolean
}

/** Who asks: a browser, whose form has to prove where it comes from, or the application's own code. */
export interface CallerKind {
  readonly kind: "browser" | "application"
  /** Parameters for the authorization request that application code gave. */
  readonly authorizationParams?: Iterable<readonly [string, string]>
}

export type Action = (
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
) => Promise<ActionOutcome>

/** The URL of an action of this deployment. */
export function resolveActionUrl(
  request: ActionRequest,
  config: ResolvedConfig,
  path: string,
): string {
  return `${request.origin}${stripTrailingSlash(config.basePath)}/${path}`
}

/**
 * The provider that a request names; undefined when it names none.
 *
 * @throws InvalidProvider for a name that nobody has
 */
export function getProvider(
  request: ActionRequest,
  config: ResolvedConfig,
): ResolvedProvider | undefined {
  const { providerId } = request
  if (providerId === undefined) return undefined
  const provider = config.providers.get(providerId)
  if (provider) return provider
  throw new InvalidProvider({
    expected: "the id of a configured provider",
    received: describeValue(providerId),
  })
}
