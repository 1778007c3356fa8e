/** The URL of a request as the browser sees it, and checks that need it. The rules for its origin are in `../http/request-origin.ts`. */
import type { AuthConfig } from "../config/auth-config.ts"
import { type EnvironmentVariables, isTruthyVariable } from "../config/environment.ts"
import { InvalidRequest, MissingCSRF } from "../errors.ts"
import { isSameOrigin } from "../http/cross-origin.ts"
import type { HeaderReader } from "../http/incoming-request.ts"
import { resolveRequestOrigin } from "../http/request-origin.ts"

/** The parts of a request that its URL follows from. */
export interface RequestLike {
  /** As the framework has it: a URL, or only its path and query. */
  readonly url: string
  readonly headers: Headers
}

/**
 * Combines path and query of the request with the origin of `AUTH_URL`, else of trusted forwarded headers, else of what
 * the framework found. A server that does not know its scheme speaks plain http.
 *
 * @param authUrlOrigin the origin of `AUTH_URL`
 * @throws InvalidRequest 400 when nothing names a host, or the host is malformed
 */
export function resolveRequestUrl(
  { url, headers }: RequestLike,
  authUrlOrigin: string | undefined,
  trustForwarded: boolean,
): URL {
  const { protocol, host, pathname, search } = URL.canParse(url)
    ? new URL(url)
    : { protocol: "http", host: undefined, pathname: url, search: "" }
  try {
    // Without the slash, the target would become part of the host.
    if (!pathname.startsWith("/")) throw new TypeError("The request target is not a path")
    const origin = authUrlOrigin ?? resolveRequestOrigin(protocol, headers, trustForwarded, host)
    return new URL(origin + pathname + search)
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "a request whose URL or headers name its host and scheme",
      hint: "X-Forwarded-Host and X-Forwarded-Proto are read only with AUTH_TRUST_HOST.",
      cause,
    })
  }
}

/**
 * Whether the path of a request target is written as URLs resolve it, without empty segments. Frameworks resolve
 * `/x/../` and merge `//` before they pass a request on. A limiter or guard in front of them, which does not, could be
 * bypassed.
 *
 * @param target path and query as the server received them; undefined if the framework does not tell
 */
export function isCanonicalTarget(target: string | undefined): boolean {
  if (target === undefined) return true
  const [path = ""] = target.split("?", 1)
  const base = "http://localhost"
  return !path.includes("//") && URL.canParse(path, base) && new URL(path, base).pathname === path
}

/**
 * Whether to trust forwarded headers. Only an explicit setting of the application or its platform counts. The default of
 * `trustHost` outside of production does not.
 */
export function trustsForwardedHeaders(config: AuthConfig, env: EnvironmentVariables): boolean {
  const variables = [env["AUTH_TRUST_HOST"], env["VERCEL"], env["CF_PAGES"]]
  return Boolean(config.trustHost ?? variables.some(isTruthyVariable))
}

/**
 * Refuses a request unless the browser says that a page of the application made it. For server functions and form
 * actions of frameworks that do not check this themselves. All current browsers send the origin of POST requests.
 *
 * @param origin scheme, host and port as the browser sees them
 * @throws MissingCSRF
 */
export function assertSameOrigin(headers: HeaderReader, origin: string): void {
  if (isSameOrigin(headers, origin)) return
  throw new MissingCSRF({
    expected: `a request from ${origin}`,
    received: `Origin: ${headers.get("origin")}, Sec-Fetch-Site: ${headers.get("sec-fetch-site")}`,
    hint: "Behind a proxy with TLS, set AUTH_URL=https://…, or AUTH_TRUST_HOST=true if the proxy sets X-Forwarded-Host.",
  })
}

/**
 * Refuses a request to sign in or out, or to change the session, unless a page of the application sent it by POST. For
 * frameworks that check neither.
 *
 * @param hint where to call the function that refuses
 * @throws MissingCSRF for a request from elsewhere; InvalidRequest for GET and HEAD, which a link can send
 */
export function assertPostFromOwnPage(
  method: string,
  headers: HeaderReader,
  origin: string,
  hint: string,
): void {
  if (method === "GET" || method === "HEAD")
    throw new InvalidRequest(400, { expected: "a POST request", received: method, hint })
  assertSameOrigin(headers, origin)
}

/**
 * Returns the `Location` for a redirect: a path for a page of the application, which client-side routers open without
 * loading it anew, and an absolute URL for other origins.
 *
 * @param origin of the application, as the browser sees it
 */
export function getRedirectLocation(target: URL, origin: string): string {
  const path = target.pathname + target.search + target.hash
  // Two slashes at the start would name another host.
  return target.origin === origin && !path.startsWith("//") ? path : target.href
}
