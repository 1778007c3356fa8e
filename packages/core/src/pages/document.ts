/** The HTML document and the response headers of every page. */
import { memoize } from "../crypto/memoize.ts"
import type { PageOutcome } from "../http/action-outcome.ts"
import { uncachedHeaders } from "../http/plain-response.ts"
import type { Theme } from "../types.ts"
import type { PageScript } from "./assets.ts"
import { type Brand, createBrand } from "./brand.ts"
import type { Color } from "./color.ts"
import { html, Markup } from "./html.ts"
import type { PageMessages } from "./page-messages.ts"
import { createStylesheetCache } from "./stylesheet.ts"

export interface PageContent {
  readonly title: string
  /** Class of the element around the card. */
  readonly rootClass: string
  readonly card: Markup
  /** @defaultValue 200 */
  readonly status?: number
  /** When to request the page again, in seconds (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number | undefined
  readonly script?: PageScript
  /** Brand colours of the providers on the page, in the order of their classes. */
  readonly brandColors?: readonly (Color | undefined)[]
  /** Details for the developer, below the card. */
  readonly errorReport?: Markup | undefined
}

/** Renders the document of a page. */
export type RenderDocument = (content: PageContent, messages: PageMessages) => Promise<PageOutcome>

/** Creates the function that renders documents in a theme. Invalid colours and images are ignored. */
export function createDocumentRenderer(theme: Theme): RenderDocument {
  const stylesheet = createStylesheetCache(theme)
  const brand = createBrand(theme)
  const getHeaders = memoize(createHeaders, maxHeaders)
  return async (content, messages) => {
    const { status = 200, retryAfter, script, brandColors = [], errorReport } = content
    const style = await stylesheet(brandColors, errorReport !== undefined)
    // No `form-action`: Chromium also applies it to the redirect to the provider that answers a form.
    const policy = [
      "default-src 'none'",
      `style-src ${style.source}`,
      ...(script ? [`script-src ${script.source}`, "connect-src 'self'"] : []),
      ["img-src 'self' data:", ...brand.imageOrigins].join(" "),
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ]
    const headers = getHeaders(policy.join("; "), `${retryAfter ?? ""}`)
    const { text } = renderDocument(content, messages, style.text, brand)
    return { kind: "page", status, html: text, headers }
  }
}

/** Headers to keep: one set for each policy. */
const maxHeaders = 16

const createHeaders = (policy: string, retryAfter: string) => ({
  ...uncachedHeaders,
  "content-type": "text/html; charset=utf-8",
  // Not `no-referrer`: with it, browsers send `Origin: null` with forms.
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "content-security-policy": policy,
  ...(retryAfter === "" ? {} : { "retry-after": retryAfter }),
})

function renderDocument(
  content: PageContent,
  { languageTag, direction, text }: PageMessages,
  styles: string,
  brand: Brand,
): Markup {
  const { title, rootClass, card, script, errorReport } = content
  return html`<!DOCTYPE html>
<html lang="${languageTag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${brand.favicon}">
<style>${new Markup(styles)}</style>
</head>
<body>
<main class="page">
<div class="${rootClass}${errorReport && " with-error-report"}">
${brand.renderHeader(text("logo"))}<div class="card">
${card}</div>
${errorReport}</div>
</main>
${script && renderScript(script.text)}</body>
</html>
`
}

/** Without a template tag: bundlers compile tagged templates with the end of a script to a call of a helper package. */
const renderScript = (text: string): Markup => new Markup(`<script>${text}</script>\n`)
