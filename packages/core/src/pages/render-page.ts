/** Selects the language of pages and e-mails, and renders the built-in pages. Loads `@latchkey/pages` when it is needed. */
import type { Language, PageDescription } from "@latchkey/pages"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { type PageOutcome, uncachedHeaders } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { toHeadersInit } from "../http/incoming-request.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { Logger } from "../logging/logger.ts"

/** The part of a request that decides the language. */
type LanguageRequest = Pick<ActionRequest, "url" | "headers">

/** Returns the language of a response. */
export type SelectLanguage = (request: LanguageRequest) => Promise<Language>

/** Creates the function that selects the language of a request. */
export function createLanguageSelector(config: ResolvedConfig, logger: Logger): SelectLanguage {
  const findLanguage = loadOnFirstCall(async () => {
    const find = (await import("@latchkey/pages")).createLanguageSelector(config)
    return async (ranges: readonly string[]) => find(ranges)
  })
  return async (request) =>
    findLanguage(config.languages.length > 1 ? await listRanges(request, config, logger) : [])
}

/** Returns the language that the application chose, before those that the browser asks for. */
async function listRanges(
  { url, headers }: LanguageRequest,
  { language: chooseLanguage }: ResolvedConfig,
  logger: Logger,
): Promise<string[]> {
  const ranges = parseAcceptLanguage(headers.get("accept-language"))
  try {
    const choice = (async () =>
      chooseLanguage?.(new Request(url, { headers: toHeadersInit(headers) })))()
    const chosen: unknown = await withTimeout(backgroundTimeout, choice, createTimeoutError)
    return typeof chosen === "string" ? [chosen, ...ranges] : ranges
  } catch (error) {
    logger.error(error) // a page in another language is better than none
    return ranges
  }
}

const createTimeoutError = () => new TypeError("The `language` function did not return")

/** The maximum number of entries that are read: browsers send a few. */
const maxRanges = 32
const rangePattern =
  /^([a-z]{1,8}(?:-[a-z\d]{1,8})*)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * Parses the header `Accept-Language` (RFC 9110 section 12.5.4). Returns the preferred language ranges, best
 * first. Malformed entries are skipped, and so is `*`, which expresses no preference.
 */
export function parseAcceptLanguage(header: string | null): string[] {
  const entries = (header ?? "").split(",", maxRanges).flatMap((entry) => {
    const [, range, quality = "1"] = rangePattern.exec(entry.trim()) ?? []
    return range !== undefined && Number(quality) > 0 ? [{ range, quality: Number(quality) }] : []
  })
  return entries.sort((a, b) => b.quality - a.quality).map(({ range }) => range)
}

/** Renders a built-in page in the language of the request. */
export type RenderPage = (
  description: PageDescription,
  request: LanguageRequest,
) => Promise<PageOutcome>

/** Creates the function that renders the pages of a configuration. */
export function createPageRenderer(
  { theme }: Pick<ResolvedConfig, "theme">,
  selectLanguage: SelectLanguage,
): RenderPage {
  return loadOnFirstCall(async () => {
    const render = (await import("@latchkey/pages")).createPageRenderer(theme)
    return async (...[description, request]: Parameters<RenderPage>): Promise<PageOutcome> => {
      const page = await render(description, await selectLanguage(request))
      const { status, html, contentSecurityPolicy, retryAfter } = page
      const headers = createHeaders(contentSecurityPolicy, retryAfter)
      return { kind: "page", status, html, headers }
    }
  })
}

const createHeaders = (policy: string, retryAfter: number | undefined): PageOutcome["headers"] => ({
  ...uncachedHeaders,
  "content-type": "text/html; charset=utf-8",
  // Not `no-referrer`: with it, browsers send `Origin: null` with forms.
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "content-security-policy": policy,
  ...(retryAfter !== undefined && { "retry-after": `${retryAfter}` }),
})
