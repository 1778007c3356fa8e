/** The URLs of the application's own pages. */
import { parseRoute } from "../http/route.ts"
import type { AuthAction, PagesOptions } from "../types.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

/** A path on this origin, or an http(s) URL. */
const pageUrlPattern = /^(?:\/(?![/\\])|https?:\/\/)[^\p{Cc}\p{Cs}]*$/iu

/** The actions whose pages the application can replace. */
const pageActions: Readonly<Record<string, AuthAction>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
}

/** Where the actions are. */
type ActionsLocation = Pick<ResolvedConfig, "basePath" | "authUrlOrigin">

/** Whether a value is the path or URL of a page, and not of the action itself, which would redirect without end. */
export function isPageUrl(
  value: unknown,
  name: string,
  { basePath, authUrlOrigin = "https://own.invalid" }: ActionsLocation,
): value is string {
  if (typeof value !== "string" || !pageUrlPattern.test(value)) return false
  if (!URL.canParse(value, authUrlOrigin)) return false
  const { origin, pathname } = new URL(value, authUrlOrigin)
  const route = origin === authUrlOrigin ? parseRoute(pathname, basePath) : undefined
  return route === undefined || route.action !== pageActions[name]
}

/**
 * Returns the application's page; undefined if it has none, or names the action itself. Without AUTH_URL, only the
 * origin of the request tells the latter.
 */
export function getCustomPage(
  name: keyof PagesOptions,
  { pages, basePath }: Pick<ResolvedConfig, "pages" | "basePath">,
  origin: string,
): string | undefined {
  const url = pages[name]
  return isPageUrl(url, name, { basePath, authUrlOrigin: origin }) ? url : undefined
}

/** Returns the valid pages, with non-ASCII characters encoded for headers (RFC 9110 section 5.5). */
export function resolveCustomPages(
  pageUrls: Partial<PagesOptions> | undefined,
  location: ActionsLocation,
): Partial<PagesOptions> {
  const pages = Object.entries(pageUrls ?? {}).filter(([name, url]) =>
    isPageUrl(url, name, location),
  )
  const encodeNonAscii = (url: string) => url.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  return Object.fromEntries(pages.map(([name, url]) => [name, encodeNonAscii(url)]))
}
