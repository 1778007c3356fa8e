/** Keeps responses that set cookies of the library out of caches, which would deliver them to others (RFC 9111 section 7.3). */

/** The value of a header, as frameworks return it. */
export type HeaderValue = string | null | undefined

/**
 * Whether caches obey a header: `Cache-Control`, or one for targeted caches, such as `CDN-Cache-Control` (RFC 9213), for
 * whose sake they ignore `Cache-Control`.
 */
function isCacheHeader(name: string): boolean {
  return /^(?:[\w-]+-)?(?:cache|surrogate|edge)-control$/i.test(name)
}

/** For nginx, it overrides `Cache-Control`. */
const nginxHeader = "x-accel-expires"

/**
 * Returns the value of `Cache-Control` that keeps a response out of caches. `no-transform` stays, because event streams must
 * not be compressed.
 *
 * @param cacheControl the application's value
 */
function addNoStore(cacheControl: HeaderValue): string {
  const directives = (cacheControl ?? "").split(",").map((text) => text.trim().toLowerCase())
  if (directives.includes("no-store")) return cacheControl ?? ""
  return `private, no-store${directives.includes("no-transform") ? ", no-transform" : ""}`
}

/** Returns the value that the application may set for a header of a response that must stay out of caches. */
export function getUncachedValue(name: string, value: HeaderValue): string {
  if (name.toLowerCase() === nginxHeader) return "0"
  return isCacheHeader(name) ? addNoStore(value) : (value ?? "")
}

/** Whether {@link getUncachedValue} may return another value. */
export function affectsCaching(name: string): boolean {
  return isCacheHeader(name) || name.toLowerCase() === nginxHeader
}

/**
 * Keeps a response out of caches, with the headers that it has now.
 *
 * @param names the headers that the application has set
 */
export function disableCaching(
  names: Iterable<string>,
  getHeader: (name: string) => HeaderValue,
  setHeader: (name: string, value: string) => void,
): void {
  for (const name of new Set(["cache-control", ...names]))
    if (affectsCaching(name)) setHeader(name, getUncachedValue(name, getHeader(name)))
}

/** The headers of a response, in a framework that reads them when the application has finished. */
type MutableHeaders = Pick<Headers, "get" | "set" | "append" | "keys">

const uncachedHeaders = new WeakSet<object>()

/** Keeps a response out of caches, even if the application sets its headers afterwards. */
export function keepOutOfCaches(headers: MutableHeaders): void {
  disableCaching(
    headers.keys(),
    (name) => headers.get(name),
    (name, value) => headers.set(name, value),
  )
  if (uncachedHeaders.has(headers)) return
  uncachedHeaders.add(headers)
  for (const method of ["set", "append"] as const) {
    const write = headers[method].bind(headers)
    headers[method] = (name, value) => write(name, getUncachedValue(name, value))
  }
}
