/** The context of an action: the request, and the services of its configuration. */

import type { CoreServices } from "../config/core-services.ts"
import type { MetadataCache } from "../flows/oauth/metadata-cache.ts"
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import type { WarnOnce } from "../logging/logger.ts"
import type { RenderPage, SelectLanguage } from "../pages/render-page.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { SessionStrategy } from "../sessions/session-strategy.ts"
import type { FlowData } from "../types.ts"
import type { AttemptCounter } from "./limits/attempt-counter.ts"

/** The services of one configuration. */
export interface Services extends CoreServices {
  readonly sessions: SessionStrategy
  readonly getMetadata: MetadataCache
  readonly renderPage: RenderPage
  readonly selectLanguage: SelectLanguage
  readonly attempts: AttemptCounter
  readonly warnOnce: WarnOnce
  /**
   * Whether a request needs no CSRF token if the browser says that a page of the same origin made it. For frameworks whose
   * forms never carried one.
   */
  readonly trustSameOrigin: boolean
  /**
   * Whether the first failure is followed by a line about `NODE_ENV` if it is not set. For frameworks whose development
   * server does not set it.
   */
  readonly suggestsNodeEnv: boolean
}

export interface ActionContext extends Services {
  readonly request: ActionRequest
  /** A browser, whose forms need a CSRF token, or the application's own code. */
  readonly caller: "browser" | "application"
  /** Data for the end of the sign-in that the application passed. */
  readonly flow?: FlowData | undefined
  /** Parameters for the authorization request that the application passed. */
  readonly authorizationParams?: URLSearchParams | undefined
}

/** The context of an action for a provider of a type. */
export interface ProviderContext<Provider extends ResolvedProvider> extends ActionContext {
  readonly provider: Provider
}

/** Runs an action. Its path may name a provider, which is then configured. */
export type Action = (
  context: ActionContext,
  provider: ResolvedProvider | undefined,
) => Promise<ActionOutcome>
