/** The HTML document of every page, and its content security policy. */

import type { PageScript } from "../assets/assets.ts"
import { html, Markup } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { type Brand, createBrand } from "../theme/brand.ts"
import type { Color } from "../theme/color.ts"
import { createStylesheetCache } from "../theme/stylesheet.ts"
import type { Theme } from "../theme/theme.ts"
import type { ErrorReport } from "./error-report.ts"
import { renderErrorReport } from "./error-report-panel.ts"

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
  readonly errorReport?: ErrorReport | undefined
}

/** A page as HTML, and what its response needs beside it. */
export interface RenderedPage {
  readonly status: number
  readonly html: string
  /** The value of the header `Content-Security-Policy`, which allows nothing that is not in the page. */
  readonly contentSecurityPolicy: string
  /** When to request the page again, in seconds. */
  readonly retryAfter: number | undefined
}

/** Renders the document of a page. */
type RenderDocument = (content: PageContent, messages: PageMessages) => Promise<RenderedPage>

/** Creates the function that renders documents in a theme. Invalid colours and images are ignored. */
export function createDocumentRenderer(theme: Theme): RenderDocument {
  const stylesheet = createStylesheetCache(theme)
  const brand = createBrand(theme)
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
    const { text } = renderDocument(content, messages, style.text, brand)
    return { status, html: text, contentSecurityPolicy: policy.join("; "), retryAfter }
  }
}

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
<div class="${rootClass}${errorReport !== undefined && " with-error-report"}">
${brand.renderHeader(text("logo"))}<div class="card">
${card}</div>
${errorReport && renderErrorReport(errorReport)}</div>
</main>
${script && renderScript(script.text)}</body>
</html>
`
}

/** Without a template tag: bundlers compile tagged templates with the end of a script to a call of a helper package. */
const renderScript = (text: string): Markup => new Markup(`<script>${text}</script>\n`)
