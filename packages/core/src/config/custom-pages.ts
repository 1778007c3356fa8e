/** The application's own pages: which texts are the address of one, and how it is written into a header. */
import type { PagesOptions } from "../types.ts"

/** A path of the own origin, or an http(s) URL. */
const pageUrlPattern = /^(?:\/(?![/\\])|https?:\/\/)[^\p{Cc}\p{Cs}]*$/iu

/** Tells whether a value is the address of a page. */
export function isPageUrl(value: unknown): value is string {
  return (
    typeof value === "string" &&
    pageUrlPattern.test(value) &&
    URL.canParse(value, "https://own.invalid/")
  )
}

/** The pages that can be led to; headers carry ASCII only (RFC 9110 section 5.5). */
export function resolveCustomPages(
  pageUrls: Partial<PagesOptions> | undefined,
): Partial<PagesOptions> {
  const pages = Object.entries(pageUrls ?? {}).filter(([, url]) => isPageUrl(url))
  const encodeNonAscii = (url: string) => url.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  return Object.fromEntries(pages.map(([name, url]) => [name, encodeNonAscii(url)]))
}
