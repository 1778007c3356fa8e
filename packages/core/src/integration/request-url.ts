/** The URL of a request as the browser sees it. */
import type { AuthConfig } from "../config/auth-config.ts"
import type { EnvironmentVariables } from "../config/environment.ts"
import { isTruthyVariable } from "../config/environment.ts"
import { InvalidRequest } from "../errors.ts"
import { readForwardedHost, readForwardedProtocol, readHost } from "../http/request-origin.ts"
import type { AuthUrl } from "./auth-url.ts"

/** What the address of a request is told from. */
export interface RequestLike {
  /** As the framework has it: a URL, or only its path and query. */
  readonly url: string
  readonly headers: Headers
}

/**
 * Path and query are those of the request; scheme, host and port those of `AUTH_URL`, else those of
 * `X-Forwarded-Host` and `X-Forwarded-Proto` where they are trusted, else those that the framework found.
 *
 * @throws InvalidRequest 400 when nothing names a host, or what names it is none
 */
export function resolveRequestUrl(
  { url, headers }: RequestLike,
  authUrl: AuthUrl,
  isProxyTrusted: boolean,
): URL {
  const requestUrl = URL.canParse(url) ? new URL(url) : undefined
  const target = requestUrl ? requestUrl.pathname + requestUrl.search : url
  try {
    const resolvedUrl = new URL(
      resolveOrigin(requestUrl, headers, authUrl, isProxyTrusted) + target,
    )
    // What does not begin with a slash would be read as more of the host.
    if (target.startsWith("/") && /^https?:$/.test(resolvedUrl.protocol)) return resolvedUrl
    throw new TypeError("The request target is neither a path nor an http(s) URL")
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "a request whose URL or headers name its host and scheme",
      hint: "Host is read; X-Forwarded-Host and X-Forwarded-Proto are with AUTH_TRUST_HOST only.",
      cause,
    })
  }
}

function resolveOrigin(
  requestUrl: URL | undefined,
  headers: Headers,
  authUrl: AuthUrl,
  isProxyTrusted: boolean,
): string {
  if (authUrl.origin !== undefined) return authUrl.origin
  const host =
    (isProxyTrusted ? readForwardedHost(headers) : undefined) ??
    requestUrl?.host ??
    readHost(headers)
  const scheme =
    (isProxyTrusted ? readForwardedProtocol(headers) : undefined) ?? getScheme(requestUrl)
  return `${scheme}://${host}`
}

/** A server that does not tell its scheme speaks plain http: where there is TLS, something before it does that. */
function getScheme(requestUrl: URL | undefined): string {
  return requestUrl?.protocol.replace(/:$/, "") ?? "http"
}

/**
 * Whether forwarded headers count: where the application or its platform says so in as many words. That the host is
 * trusted outside of production, where nobody said anything, is not enough.
 */
export function trustsForwardedHeaders(
  { trustHost }: Pick<AuthConfig, "trustHost">,
  env: EnvironmentVariables,
): boolean {
  return (
    trustHost ??
    ["AUTH_TRUST_HOST", "VERCEL", "CF_PAGES"].some((name) => isTruthyVariable(env[name]))
  )
}
