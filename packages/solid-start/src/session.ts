import type { InferSession, Session } from "@latchkey/core/types"
import type { ReactiveAuthConfig } from "./config.ts"
import { findEvent, type StartEvent, type StartRequest } from "./event.ts"
import { createAuthContext } from "./integrated-auth.ts"
import { sanitizeAsyncErrors, sanitizeErrors } from "./sanitize-errors.ts"

/** The result of {@link getSession} for a configuration of the type `Config`. */
export type GetSessionResult<Config = ReactiveAuthConfig> = Promise<InferSession<Config> | null>

/** Refuses a configuration with `raw`, which only `Auth` of the core understands. */
type WithoutRaw<Config> = Config extends { readonly raw: unknown } ? never : Config

/**
 * Returns the session of a request, or null when nobody is signed in.
 *
 * A renewed session is set on the response of the event, or for a request on that of the current event. In a
 * middleware, pass the event, because SolidStart 1 does not know the current one there. If there is no event or its
 * headers have been sent, the session is not changed, and a later request renews it.
 *
 * The session has the type that the `session` callback of the configuration returns. For TypeScript to know the
 * callback, write the configuration with `defineConfig` or `satisfies ReactiveAuthConfig`.
 *
 * @param req the request, or its event
 * @param options the object that you pass to the route
 * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
 * @throws TypeError when the configuration or `AUTH_URL` is invalid
 */
export function getSession<Config extends ReactiveAuthConfig>(
  req: StartRequest | StartEvent,
  options: Config & WithoutRaw<Config>,
): GetSessionResult<Config>
export async function getSession(
  req: StartRequest | StartEvent,
  options: ReactiveAuthConfig,
): Promise<Session | null> {
  const context = createAuthContext("request" in req ? req : findEvent(req), options)
  sanitizeErrors(() => context.url)
  const { session } = await sanitizeAsyncErrors(context.getSession())
  return session
}
