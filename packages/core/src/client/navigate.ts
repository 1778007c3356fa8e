/** Leaving the page. */

/** Where the page is; undefined outside of a browser. */
export const getPageUrl = (): string | undefined => globalThis.location?.href

/** The mistake of asking for what only a page has. */
export const createNoPageError = (): TypeError =>
  new TypeError("There is no page here. On a server use the engine, elsewhere `redirect: false`.")

/**
 * Goes to an absolute URL. What comes back never resolves: the page is on its way out.
 *
 * @throws TypeError outside of a browser
 */
export function navigateTo(url: string): Promise<never> {
  if (getPageUrl() === undefined) throw createNoPageError()
  location.assign(url)
  // To another place of the same page a browser only scrolls, and it does so at once.
  if (getPageUrl() === url) location.reload()
  return new Promise(() => {})
}
