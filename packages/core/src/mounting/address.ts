/** The URL of a request as the browser sees it. */
import type { AuthConfig } from "../config/auth-config.ts"
import type { EnvironmentVariables } from "../config/environment.ts"
import { isSaid } from "../config/environment.ts"
import { InvalidRequest } from "../errors.ts"
import { forwardedHost, forwardedProtocol, hostOf } from "../http/forwarded.ts"
import type { Site } from "./site.ts"

/** What the address of a request is told from. */
export interface Addressed {
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
export function locate({ url, headers }: Addressed, site: Site, isTrusted: boolean): URL {
  const seen = URL.canParse(url) ? new URL(url) : undefined
  const target = seen ? seen.pathname + seen.search : url
  try {
    const located = new URL(originOf(seen, headers, site, isTrusted) + target)
    // What does not begin with a slash would be read as more of the host.
    if (target.startsWith("/") && /^https?:$/.test(located.protocol)) return located
    throw new TypeError("The request target is neither a path nor an http(s) URL")
  } catch (cause) {
    throw new InvalidRequest(400, {
      expected: "a request whose URL or headers name its host and scheme",
      hint: "Host is read; X-Forwarded-Host and X-Forwarded-Proto are with AUTH_TRUST_HOST only.",
      cause,
    })
  }
}

function originOf(seen: URL | undefined, headers: Headers, site: Site, isTrusted: boolean): string {
  if (site.origin !== undefined) return site.origin
  const host = (isTrusted ? forwardedHost(headers) : undefined) ?? seen?.host ?? hostOf(headers)
  const scheme = (isTrusted ? forwardedProtocol(headers) : undefined) ?? schemeOf(seen)
  return `${scheme}://${host}`
}

/** A server that does not tell its scheme speaks plain http: where there is TLS, something before it does that. */
function schemeOf(seen: URL | undefined): string {
  return seen?.protocol.replace(/:$/, "") ?? "http"
}

/**
 * Whether forwarded headers count: where the application or its platform says so in as many words. That the host is
 * trusted outside of production, where nobody said anything, is not enough.
 */
export function trustsForwarded(
  { trustHost }: Pick<AuthConfig, "trustHost">,
  env: EnvironmentVariables,
): boolean {
  return trustHost ?? ["AUTH_TRUST_HOST", "VERCEL", "CF_PAGES"].some((name) => isSaid(env[name]))
}
