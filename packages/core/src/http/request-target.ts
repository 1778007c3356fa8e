/** Where a request was made to, as its URL tells. */
import { parseRoute, type Route } from "./route.ts"

/** The parts of a URL that every request is answered by. */
export interface RequestTarget {
  readonly origin: string
  /** The origin as cookies have it. */
  readonly encodedOrigin: string
  readonly protocol: string
  readonly pathname: string
  readonly search: string
  readonly route: Route
}

/** Most places that are remembered, and the longest of them in characters. */
const maxCachedTargets = 64
const maxCachedUrlLength = 256

/**
 * Tells where URLs lead. Few of them are asked for over and over, that of the session above all: what was worked out
 * for those is kept. One with a query hardly comes again.
 *
 * @throws TypeError for what is no URL
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

function resolveTarget(
  { origin, protocol, pathname, search }: URL,
  basePath: string,
): RequestTarget {
  const encodedOrigin = encodeURIComponent(origin)
  return {
    origin,
    encodedOrigin,
    protocol,
    pathname,
    search,
    route: parseRoute(pathname, basePath),
  }
}
