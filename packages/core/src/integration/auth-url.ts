/** Where the application is, as its environment says. */
import type { EnvironmentVariables } from "../config/environment.ts"
import { stripTrailingSlash } from "../http/route.ts"

/** What a deployment says of its own address. */
export interface AuthUrl {
  /** Scheme, host and port; wins over every header of a request. */
  readonly origin: string | undefined
  /** The path of `AUTH_URL`, which is the base path where the configuration has none. */
  readonly basePath: string | undefined
}

/**
 * Reads `AUTH_URL`, which may have a path.
 *
 * @throws TypeError when it is no http(s) URL
 */
export function parseAuthUrl(env: EnvironmentVariables): AuthUrl {
  const url = env["AUTH_URL"]
  if (!url) return { origin: undefined, basePath: undefined }
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") {
    throw new TypeError("AUTH_URL is not an http(s) URL: write it like https://example.com")
  }
  return { origin: parsed.origin, basePath: stripTrailingSlash(parsed.pathname) || undefined }
}
