/** What routes of the application do on behalf of the person whose browser asks. */
import type { ServerResponse } from "node:http"
import { type SignInInput, type SignOutInput, serializeCookie } from "@latchkey/core"
import { applySetCookies, assertSameOrigin } from "@latchkey/core/integration"
import type { Cookie, InferSession, Session } from "@latchkey/core/types"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express-types.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { type RequestOriginSource, resolveOrigin } from "./request-url.ts"
import { getSetCookieLines, setCookies } from "./response.ts"
import { toHeaders } from "./web-request.ts"

/** The request of a route. */
export type RouteRequest = RequestOriginSource & Pick<ExpressRequest, "rawHeaders" | "res">

/**
 * Begins a sign-in, or signs in with credentials, and sets the cookies. Refuses requests that no page of the own origin
 * made, so that a form of the application needs no token.
 *
 * @param config the same object that the middleware has; where that is mounted elsewhere than on `/auth`, it says so in
 *   `basePath`
 * @returns where to send the browser
 * @throws CredentialsSignin, and other AuthErrors when it is refused; MissingCSRF for a request from elsewhere
 * @example
 * app.post("/signin", async (req, res) => {
 *   res.redirect(303, await signIn(req, config, { provider: "credentials", options: req.body }))
 * })
 */
export async function signIn(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  input: Omit<SignInInput, "headers" | "url"> = {},
  res: ServerResponse | undefined = req.res,
): Promise<string> {
  const { auth, ...request } = createSameOriginRequest(req, config, res)
  const { redirect, cookies } = await auth.signIn({ ...input, ...request })
  setResponseCookies(cookies, res)
  return redirect
}

/**
 * Ends the session, and deletes its cookies. Refuses requests that no page of the own origin made.
 *
 * @param config the same object that the middleware has
 * @returns where to send the browser
 * @throws AuthError when it could not be ended; MissingCSRF for a request from elsewhere
 */
export async function signOut(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  options: NonNullable<SignOutInput["options"]> = {},
  res: ServerResponse | undefined = req.res,
): Promise<string> {
  const { auth, ...request } = createSameOriginRequest(req, config, res)
  const { redirect, cookies } = await auth.signOut({ options, ...request })
  setResponseCookies(cookies, res)
  return redirect
}

/**
 * Changes what the session holds, and gives it; null when nobody is signed in. Refuses requests that no page of the own
 * origin made.
 *
 * @param config the same object that the middleware has
 * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which have to validate it
 * @throws AuthError when the session could not be checked; MissingCSRF for a request from elsewhere
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
  res: ServerResponse | undefined = req.res,
): Promise<Session | null> {
  const { auth, ...request } = createSameOriginRequest(req, config, res)
  const { session, cookies } = await auth.update({ data, ...request })
  setResponseCookies(cookies, res)
  return session
}

/** @throws MissingCSRF for a request from elsewhere */
function createSameOriginRequest(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  res: ServerResponse | undefined,
) {
  const { engine, origin } = getIntegratedAuth(config)
  const url = new URL(resolveOrigin(req, origin)).origin
  const headers = toHeaders(req)
  assertSameOrigin(headers, url)
  headers.set("cookie", applySetCookies(headers.get("cookie"), getSetCookieLines(res)))
  return { auth: engine, headers, url }
}

/** @throws TypeError when there is no answer that the cookies could be added to */
function setResponseCookies(cookies: readonly Cookie[], res: ServerResponse | undefined): void {
  if (!res || res.headersSent) {
    throw new TypeError("The answer is unknown, or on its way: it can set no cookies any more.")
  }
  setCookies(res, cookies.map(serializeCookie))
}
