/** Functions for routes of the application that sign in, sign out, or change the session. */
import type { ServerResponse } from "node:http"
import type { AuthorizationParams, SignInOptions, SignOutOptions } from "@latchkey/core"
import { type AuthContext, assertPostFromOwnPage } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import { createAuthContext, type RouteRequest } from "./auth-context.ts"
import type { MiddlewareAuthConfig } from "./config.ts"

/**
 * Starts a sign-in, or signs in with credentials, and sets the cookies. Refuses requests that do not come from a page
 * of the same origin, so forms of the application need no token.
 *
 * @param config the object that you pass to the middleware; for a mount path other than `/auth` it needs `basePath`
 * @param provider id of the provider. Without one, the browser is sent to the sign-in page.
 * @param authorizationParams parameters for the provider that your code chose
 * @returns where to send the browser
 * @throws CredentialsSignin and other AuthErrors when the sign-in is refused; MissingCSRF for a request from elsewhere;
 *   InvalidRequest for a GET request
 * @example
 * app.post("/signin", async (req, res) => {
 *   res.redirect(303, await signIn(req, config, "credentials", { fields: req.body }))
 * })
 */
export async function signIn(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  provider?: string,
  options?: SignInOptions,
  authorizationParams?: AuthorizationParams,
  res?: ServerResponse | undefined,
): Promise<string> {
  const context = createSameOriginContext(req, config, res)
  return context.signIn(provider, options, authorizationParams)
}

/**
 * Ends the session and deletes its cookies. Refuses requests that do not come from a page of the same origin.
 *
 * @param config the object that you pass to the middleware
 * @returns where to send the browser
 * @throws AuthError when the session could not be ended; MissingCSRF for a request from elsewhere; InvalidRequest for a
 *   GET request
 */
export async function signOut(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  options?: SignOutOptions,
  res?: ServerResponse | undefined,
): Promise<string> {
  return createSameOriginContext(req, config, res).signOut(options)
}

/**
 * Changes the session and returns it; null when nobody is signed in. Refuses requests that do not come from a page of
 * the same origin.
 *
 * @param config the object that you pass to the middleware
 * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
 * @throws AuthError when the session could not be checked; MissingCSRF for a request from elsewhere; InvalidRequest for
 *   a GET request
 */
export function updateSession<Config extends MiddlewareAuthConfig>(
  req: RouteRequest,
  config: Config,
  data: unknown,
  res?: ServerResponse | undefined,
): Promise<InferSession<Config> | null>
export async function updateSession(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  data: unknown,
  res?: ServerResponse | undefined,
): Promise<Session | null> {
  return createSameOriginContext(req, config, res).updateSession(data)
}

/** @throws MissingCSRF for a request from elsewhere; InvalidRequest for GET and HEAD, which a link can send */
function createSameOriginContext(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  res: ServerResponse | undefined,
): AuthContext {
  const context = createAuthContext(req, config, res)
  const hint =
    "Call it in `app.post(…)`, and send a form: links and prefetches must not sign anybody in or out."
  assertPostFromOwnPage(req.method ?? "", context.headers, context.url.origin, hint)
  return context
}
