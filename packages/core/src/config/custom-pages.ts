/** The URLs of the application's own pages. */
import type { PagesOptions } from "../types.ts"

/** A path on this origin, or an http(s) URL. */
const pageUrlPattern = /^(?:\/(?![/\\])|https?:\/\/)[^\p{Cc}\p{Cs}]*$/iu

/** Whether a value is the path or URL of a page. */
export function isPageUrl(value: unknown): value is string {
  return (
    typeof value === "string" &&
    pageUrlPattern.test(value) &&
    URL.canParse(value, "https://own.invalid/")
  )
}

/** Returns the valid pages, with non-ASCII characters encoded for headers (RFC 9110 section 5.5). */
export function resolveCustomPages(
  pageUrls: Partial<PagesOptions> | undefined,
): Partial<PagesOptions> {
  const pages = Object.entries(pageUrls ?? {}).filter(([, url]) => isPageUrl(url))
  const encodeNonAscii = (url: string) => url.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  return Object.fromEntries(pages.map(([name, url]) => [name, encodeNonAscii(url)]))
}
