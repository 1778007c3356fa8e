/**
 * Returns the `Location` for a redirect: a path for a page of the application, which client-side routers open without
 * loading it anew, and an absolute URL for other origins.
 *
 * @param origin of the application, as the browser sees it
 */
export function getRedirectLocation(target: URL, origin: string): string {
  const path = target.pathname + target.search + target.hash
  // Two slashes at the start would name another host.
  return target.origin === origin && !path.startsWith("//") ? path : target.href
}
