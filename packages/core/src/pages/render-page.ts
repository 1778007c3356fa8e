/** Selects the language of pages and e-mails, and renders the built-in pages. Loads `@latchkey/pages` when it is needed. */
import type { Language, PageDescription } from "@latchkey/pages"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { type PageOutcome, uncachedHeaders } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { Logger } from "../logging/logger.ts"

/** The part of a request that decides the language. */
type LanguageRequest = Pick<ActionRequest, "url" | "headers">

/** Returns the language of a response. */
export type SelectLanguage = (request: LanguageRequest) => Promise<Language>

/** Creates the function that selects the language of a request. */
export function createLanguageSelector(config: ResolvedConfig, logger: Logger): SelectLanguage {
  return loadOnFirstCall(async () => {
    const select = (await import("@latchkey/pages")).createLanguageSelector(config)
    return {
      selectLanguage: async (request: LanguageRequest) =>
        config.languages.length > 1
          ? select(
              await chooseLanguage(request, config, logger),
              request.headers.get("accept-language"),
            )
          : select(),
    }
  }).selectLanguage
}

/** Returns the language that the application chose. */
async function chooseLanguage(
  { url, headers }: LanguageRequest,
  { language }: ResolvedConfig,
  logger: Logger,
): Promise<unknown> {
  try {
    const choice = (async () => language?.(new Request(url, { headers: [...headers] })))()
    return await withTimeout(backgroundTimeout, choice, "The `language` function did not return")
  } catch (error) {
    logger.error(error) // a page in another language is better than none
    return undefined
  }
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
    const renderPage: RenderPage = async (description, request) => {
      const page = await render(description, await selectLanguage(request))
      const { status, html, contentSecurityPolicy, retryAfter } = page
      const headers = createHeaders(contentSecurityPolicy, retryAfter)
      return { kind: "page", status, html, headers }
    }
    return { renderPage }
  }).renderPage
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
