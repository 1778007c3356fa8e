/** Selects the language of pages and e-mails. */

import type { Language } from "@latchkey/pages"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { toHeadersInit } from "../http/incoming-request.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { Logger } from "../logging/logger.ts"

/** The part of a request that decides the language. */
export type LanguageRequest = Pick<ActionRequest, "url" | "headers">

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
