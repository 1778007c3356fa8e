/** Returns the URL of the page; undefined outside of a browser. */
export const getPageUrl = (): string | undefined => globalThis.location?.href

export const createNoPageError = (): TypeError =>
  new TypeError("There is no page here: set `redirect: false`")

/**
 * Navigates to an absolute URL. The returned promise never resolves, because the page is unloaded.
 *
 * @throws TypeError outside of a browser
 */
export function navigateTo(url: string): Promise<never> {
  if (getPageUrl() === undefined) throw createNoPageError()
  location.assign(url)
  // If only the fragment differs, the browser scrolls at once, and does not reload.
  if (getPageUrl() === url) location.reload()
  return new Promise(() => {})
}
