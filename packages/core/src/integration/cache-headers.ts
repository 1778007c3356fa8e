/** Keeps responses that set cookies of the library out of caches, which would deliver them to others (RFC 9111 section 7.3). */

/** The value of a header, as frameworks return it. */
export type HeaderValue = string | null | undefined

/**
 * Whether caches obey a header: `Cache-Control`, or one for caches of a kind, such as `CDN-Cache-Control` (RFC 9213), for
 * whose sake they ignore `Cache-Control`.
 */
function isCacheHeader(name: string): boolean {
  return /^(?:[\w-]+-)?(?:cache|surrogate|edge)-control$/i.test(name)
}

/**
 * Returns the value of `Cache-Control` that keeps a response out of caches. `no-transform` stays, because event streams must
 * not be compressed.
 *
 * @param cacheControl the application's value
 */
function noStore(cacheControl: HeaderValue): string {
  const existing = cacheControl ?? ""
  if (/\bno-store\b/i.test(existing)) return existing
  return `private, no-store${/\bno-transform\b/i.test(existing) ? ", no-transform" : ""}`
}

/** Returns the value that the application may set for a header of a response that must stay out of caches. */
export function getUncachedValue(name: string, value: string): string {
  return isCacheHeader(name) ? noStore(value) : value
}

/**
 * Keeps a response out of caches.
 *
 * @param names the headers that the application has set
 */
export function disableCaching(
  names: Iterable<string>,
  getHeader: (name: string) => HeaderValue,
  setHeader: (name: string, value: string) => void,
): void {
  for (const name of new Set(["cache-control", ...names]))
    if (isCacheHeader(name)) setHeader(name, noStore(getHeader(name)))
}

/** The headers of a response, in a framework that reads them when the application has finished. */
type MutableHeaders = Pick<Headers, "get" | "set" | "append" | "keys">

/** Keeps a response out of caches, even if the application sets its headers afterwards. */
export function keepOutOfCaches(headers: MutableHeaders): void {
  disableCaching(
    headers.keys(),
    (name) => headers.get(name),
    (name, value) => headers.set(name, value),
  )
  if (Object.hasOwn(headers, "set")) return
  for (const method of ["set", "append"] as const) {
    const write = headers[method].bind(headers)
    headers[method] = (name, value) => write(name, getUncachedValue(name, value))
  }
}
