/** Renders the built-in pages with `@latchkey/pages`, which loads with the first one. */
import type { PageDescription } from "@latchkey/pages"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { type PageOutcome, uncachedHeaders } from "../http/action-outcome.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { LanguageRequest, SelectLanguage } from "./select-language.ts"

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
