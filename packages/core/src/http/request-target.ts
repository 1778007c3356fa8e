/** The parts of a URL that decide how a request is handled. */
import { parseRoute, type Route } from "./route.ts"

export interface RequestTarget {
  readonly origin: string
  /** The origin in the encoding of cookies. */
  readonly encodedOrigin: string
  readonly protocol: string
  readonly pathname: string
  readonly search: string
  readonly route: Route
}

/** The limits of the cache: its entries, and the characters of a URL. */
const maxCachedTargets = 64
const maxCachedUrlLength = 256

/**
 * Creates a function that parses URLs. It caches those without a query, because clients request the same few URLs, such
 * as the session, over and over.
 *
 * @throws TypeError (from the returned function) for an invalid URL
 */
export function createTargetResolver(basePath: string): (url: string | URL) => RequestTarget {
  const cache = new Map<string, RequestTarget>()
  return (url) => {
    if (typeof url !== "string") return resolveTarget(url, basePath)
    const cached = cache.get(url)
    if (cached) return cached
    const target = resolveTarget(new URL(url), basePath)
    const isCacheable =
      target.route.kind === "action" && target.search === "" && url.length <= maxCachedUrlLength
    if (!isCacheable) return target
    if (cache.size >= maxCachedTargets) cache.clear()
    cache.set(url, target)
    return target
  }
}

function resolveTarget(url: URL, basePath: string): RequestTarget {
  const { origin, protocol, pathname, search } = url
  const route = parseRoute(pathname, basePath)
  return { origin, encodedOrigin: encodeURIComponent(origin), protocol, pathname, search, route }
}
