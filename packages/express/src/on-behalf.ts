/** What routes of the application do on behalf of the person whose browser asks. */
import type { ServerResponse } from "node:http"
import { type SignInInput, type SignOutInput, serializeCookie } from "@latchkey/core"
import { assertOwnOrigin, cookieHeaderAfter } from "@latchkey/core/mounting"
import type { Cookie, InferSession, Session } from "@latchkey/core/types"
import { type Addressed, originOf } from "./address.ts"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express.ts"
import { mounted } from "./mounted.ts"
import { cookieLines, setCookies } from "./outgoing.ts"
import { headersOf } from "./web-request.ts"

/** The request of a route. */
export type RouteRequest = Addressed & Pick<ExpressRequest, "rawHeaders" | "res">

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
  const { auth, ...request } = ownRequest(req, config, res)
  const { redirect, cookies } = await auth.signIn({ ...input, ...request })
  leave(cookies, res)
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
  const { auth, ...request } = ownRequest(req, config, res)
  const { redirect, cookies } = await auth.signOut({ options, ...request })
  leave(cookies, res)
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
  const { auth, ...request } = ownRequest(req, config, res)
  const { session, cookies } = await auth.update({ data, ...request })
  leave(cookies, res)
  return session
}

/** @throws MissingCSRF for a request from elsewhere */
function ownRequest(
  req: RouteRequest,
  config: MiddlewareAuthConfig,
  res: ServerResponse | undefined,
) {
  const { auth, origin } = mounted(config)
  const url = new URL(originOf(req, origin)).origin
  const headers = headersOf(req)
  assertOwnOrigin(headers, url)
  headers.set("cookie", cookieHeaderAfter(headers.get("cookie"), cookieLines(res)))
  return { auth, headers, url }
}

/** @throws TypeError when there is no answer that the cookies could be added to */
function leave(cookies: readonly Cookie[], res: ServerResponse | undefined): void {
  if (!res || res.headersSent) {
    throw new TypeError("The answer is unknown, or on its way: it can set no cookies any more.")
  }
  setCookies(res, cookies.map(serializeCookie))
}
