import type { ServerResponse } from "node:http"
import { applySetCookies, type RequestSource, readSession } from "@latchkey/core/integration"
import type { InferSession, Session } from "@latchkey/core/types"
import type { MiddlewareAuthConfig } from "./config.ts"
import type { ExpressRequest } from "./express-types.ts"
import { getIntegratedAuth } from "./integrated-auth.ts"
import { RawHeaders } from "./request-headers.ts"
import { getRequestTarget, type RequestOriginSource, resolveOrigin } from "./request-url.ts"
import { getResponseCookies } from "./response.ts"

/** The request of a route or a middleware. */
type SessionRequest = RequestOriginSource &
  Pick<ExpressRequest, "res"> &
  Partial<Pick<ExpressRequest, "ip" | "originalUrl" | "rawHeaders">>

/** The result of {@link getSession} for a configuration of the type `Config`. */
export type GetSessionResult<Config = MiddlewareAuthConfig> = Promise<InferSession<Config> | null>

/**
 * Returns the session of a request, or null when nobody is signed in. A renewed session is set on the response, unless
 * its headers have been sent.
 *
 * The session has the type that the `session` callback of the configuration returns. For TypeScript to know the
 * callback, write the configuration with `defineConfig` or `satisfies MiddlewareAuthConfig`.
 *
 * @param config the object that you pass to the middleware
 * @param res receives a renewed session; by default the response that Express has on every request
 * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
 * @throws TypeError when the configuration or `AUTH_URL` is invalid
 */
export function getSession<Config extends MiddlewareAuthConfig>(
  req: SessionRequest,
  config: Config,
  res?: ServerResponse | undefined,
): GetSessionResult<Config>
export async function getSession(
  req: SessionRequest,
  config: MiddlewareAuthConfig,
  res: ServerResponse | undefined = req.res,
): Promise<Session | null> {
  const { engine, origin } = getIntegratedAuth(config)
  const cookies = getResponseCookies(res)
  const cookie = applySetCookies(req.headers.cookie, cookies.getLines())
  const get = (name: string) => (name === "cookie" ? cookie : null)
  const source = new ExpressRequestSource(req, resolveOrigin(req, origin))
  const { session } = await readSession(engine, { get }, source.origin, req, cookies, source)
  return session
}

/** The request as callbacks see it, which is converted when a callback reads it. */
class ExpressRequestSource implements RequestSource {
  readonly origin: string
  readonly #req: SessionRequest

  constructor(req: SessionRequest, origin: string) {
    this.origin = origin
    this.#req = req
  }

  get url(): string {
    const { originalUrl = "/" } = this.#req
    return this.origin + getRequestTarget({ originalUrl })
  }

  get headers(): RawHeaders {
    return new RawHeaders(this.#req.rawHeaders ?? [])
  }

  get clientAddress(): string | undefined {
    return this.#req.ip
  }
}
