/** The HTML document and the response headers of every page. */
import type { ErrorReport } from "../http/error-report.ts"
import type { Theme } from "../types.ts"
import type { Color } from "./color.ts"
import { renderErrorReport } from "./error-report-panel.ts"
import { html, Markup } from "./html.ts"
import { parseThemeImage } from "./images.ts"
import { createStylesheetCache, type Stylesheet } from "./stylesheet.ts"

export interface Page {
  status: number
  html: string
  /** Names are in lower case. */
  headers: Record<string, string>
}

export interface PageContent {
  readonly title: string
  /** Class of the element around the card. */
  readonly rootClass: string
  readonly card: Markup
  /** @defaultValue 200 */
  readonly status?: number
  /** The script of the page, with its hash as a source of `script-src` (CSP 3). */
  readonly script?: { readonly text: string; readonly source: string }
  /** Brand colours of the providers on the page, in the order of their classes. */
  readonly brandColors?: readonly (Color | undefined)[]
  /** Details for the developer, below the card. */
  readonly errorReport?: ErrorReport | undefined
}

/** Creates the function that renders the pages of a theme. */
export function createPageRenderer(theme: Theme): (content: PageContent) => Promise<Page> {
  const stylesheet = createStylesheetCache(theme)
  const logo = parseThemeImage(theme.logo)
  const logoImage = logo && html`<img class="logo" src="${logo.src}" alt="Logo">\n`
  return async (content) => {
    const style = await stylesheet(content.brandColors ?? [], content.errorReport !== undefined)
    return {
      status: content.status ?? 200,
      html: renderDocument(content, style, logoImage).text,
      headers: createHeaders(style, logo?.origin, content.script?.source),
    }
  }
}

function renderDocument(content: PageContent, style: Stylesheet, logo: Markup | undefined): Markup {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${content.title}</title>
<style>${new Markup(style.text)}</style>
</head>
<body>
<main class="page">
<div class="${content.rootClass}${content.errorReport && " with-error-report"}">
${logo}<div class="card">
${content.card}</div>
${content.errorReport && renderErrorReport(content.errorReport)}</div>
</main>
${content.script && html`<script>${new Markup(content.script.text)}</script>\n`}</body>
</html>
`
}

function createHeaders(
  style: Stylesheet,
  imageOrigin: string | undefined,
  scriptSource: string | undefined,
): Record<string, string> {
  const images = ["'self'", "data:", ...(imageOrigin ? [imageOrigin] : [])]
  return {
    "content-type": "text/html; charset=utf-8",
    // No `form-action`: Chromium also applies it to the redirect to the provider after a form was submitted.
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${style.source}`,
      ...(scriptSource ? [`script-src ${scriptSource}`, "connect-src 'self'"] : []),
      `img-src ${images.join(" ")}`,
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    // Not `no-referrer`: with it, browsers send `Origin: null` with forms.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "private, no-cache, no-store",
  }
}
