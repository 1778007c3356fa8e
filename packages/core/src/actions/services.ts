/** Types of the services that actions use, and of their caller. */
import type { CoreServices } from "../config/core-services.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { describeValue } from "../errors/describe-value.ts"
import { InvalidProvider } from "../errors.ts"
import type { EmailFlow } from "../flows/email.ts"
import type { MetadataCache } from "../flows/oauth/provider-metadata.ts"
import type { WebAuthnFlow } from "../flows/webauthn/webauthn.ts"
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import type { CsrfTokens } from "../http/csrf.ts"
import type { RequestTarget } from "../http/request-target.ts"
import type { Pages } from "../pages/pages.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { SessionStrategy } from "../sessions/session-strategy.ts"

export interface Services extends CoreServices {
  readonly csrf: CsrfTokens
  readonly sessions: SessionStrategy
  readonly getMetadata: MetadataCache
  readonly email: EmailFlow
  readonly webauthn: WebAuthnFlow
  readonly pages: Pages
  /** Resolves the URL of a request. Throws TypeError if it is not a URL. */
  readonly resolveTarget: (url: string | URL) => RequestTarget
  /** Whether requests that the browser calls same-origin need no CSRF token. */
  readonly trustSameOrigin: boolean
}

/** A browser, whose forms need a CSRF token, or the application's own code. */
export interface CallerKind {
  readonly kind: "browser" | "application"
  /** Parameters for the authorization request that the application passed. */
  readonly authorizationParams?: Iterable<readonly [string, string]> | undefined
}

export type Action = (
  request: ActionRequest,
  services: Services,
  caller: CallerKind,
) => Promise<ActionOutcome>

/**
 * Returns the provider that a request names; undefined when it names none.
 *
 * @throws InvalidProvider for the id of a provider that is not configured
 */
export function getProvider(
  { providerId }: ActionRequest,
  { providers }: ResolvedConfig,
): ResolvedProvider | undefined {
  if (providerId === undefined) return undefined
  const provider = providers.get(providerId)
  if (provider) return provider
  const received = describeValue(providerId)
  throw new InvalidProvider({ expected: "the id of a configured provider", received })
}
