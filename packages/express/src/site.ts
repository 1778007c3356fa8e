/** Where the application is, as `AUTH_URL` says. */

/** What a deployment says of its own address. */
export interface Site {
  /** Wins over every header of a request. */
  readonly origin: string | undefined
  /** Base path of a middleware that is mounted without a path. */
  readonly basePath: string
}

/**
 * Reads `AUTH_URL`, which may have a path.
 *
 * @throws TypeError when it is no http(s) URL
 */
export function siteOf(url: string | undefined): Site {
  if (!url) return { origin: undefined, basePath: "/auth" }
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") {
    throw new TypeError("AUTH_URL is not an http(s) URL: write it like https://example.com")
  }
  return { origin: parsed.origin, basePath: withoutSlashes(parsed.pathname) || "/auth" }
}

/** A path without the slashes at its end. */
export function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === "/") end -= 1
  return path.slice(0, end)
}
