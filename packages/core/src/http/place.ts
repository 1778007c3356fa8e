/** Where a request was made to, as its URL tells. */
import { type Route, routeOf } from "./route.ts"

/** The parts of a URL that every request is answered by. */
export interface Place {
  readonly origin: string
  /** The origin as cookies have it. */
  readonly sentOrigin: string
  readonly protocol: string
  readonly pathname: string
  readonly search: string
  readonly route: Route
}

/** Most places that are remembered, and the longest of them in characters. */
const most = 64
const longest = 256

/**
 * Tells where URLs lead. Few of them are asked for over and over, that of the session above all: what was worked out
 * for those is kept. One with a query hardly comes again.
 *
 * @throws TypeError for what is no URL
 */
export function createPlaces(basePath: string): (url: string | URL) => Place {
  const known = new Map<string, Place>()
  return (url) => {
    if (typeof url !== "string") return placeOf(url, basePath)
    const found = known.get(url)
    if (found) return found
    const place = placeOf(new URL(url), basePath)
    const isLasting = place.route.kind === "action" && place.search === "" && url.length <= longest
    if (!isLasting) return place
    if (known.size >= most) known.clear()
    known.set(url, place)
    return place
  }
}

function placeOf({ origin, protocol, pathname, search }: URL, basePath: string): Place {
  const sentOrigin = encodeURIComponent(origin)
  return { origin, sentOrigin, protocol, pathname, search, route: routeOf(pathname, basePath) }
}
