/** The application's own pages: which texts are the address of one, and how it is written into a header. */
import type { PagesOptions } from "../types.ts"

/** A path of the own origin, or an http(s) URL. */
const pageShape = /^(?:\/(?![/\\])|https?:\/\/)[^\p{Cc}\p{Cs}]*$/iu

/** Tells whether a value is the address of a page. */
export function isPage(value: unknown): value is string {
  return (
    typeof value === "string" &&
    pageShape.test(value) &&
    URL.canParse(value, "https://own.invalid/")
  )
}

/** The pages that can be led to; headers carry ASCII only (RFC 9110 section 5.5). */
export function resolvePages(written: Partial<PagesOptions> | undefined): Partial<PagesOptions> {
  const pages = Object.entries(written ?? {}).filter(([, url]) => isPage(url))
  const ascii = (url: string) => url.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  return Object.fromEntries(pages.map(([name, url]) => [name, ascii(url)]))
}
