/** Leaving the page. */

/** Where the page is; undefined outside of a browser. */
export const here = (): string | undefined => globalThis.location?.href

/** The mistake of asking for what only a page has. */
export const noPage = (): TypeError =>
  new TypeError("There is no page here. On a server use the engine, elsewhere `redirect: false`.")

/**
 * Goes to an absolute URL. What comes back never resolves: the page is on its way out.
 *
 * @throws TypeError outside of a browser
 */
export function leave(url: string): Promise<never> {
  if (here() === undefined) throw noPage()
  location.assign(url)
  // To another place of the same page a browser only scrolls, and it does so at once.
  if (here() === url) location.reload()
  return new Promise(() => {})
}
