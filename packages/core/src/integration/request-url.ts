/** The URL of a request as the browser sees it. The rules for its origin are in `../http/request-origin.ts`. */
import type { AuthConfig } from "../config/auth-config.ts"
import { type EnvironmentVariables, isTruthyVariable } from "../config/environment.ts"
import { InvalidRequest } from "../errors.ts"
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
 * Whether to trust forwarded headers. Only an explicit setting of the application or its platform counts. The default
 * of
 * `trustHost` outside of production does not.
 */
export function trustsForwardedHeaders(config: AuthConfig, env: EnvironmentVariables): boolean {
  const variables = [env["AUTH_TRUST_HOST"], env["VERCEL"], env["CF_PAGES"]]
  return Boolean(config.trustHost ?? variables.some(isTruthyVariable))
}
