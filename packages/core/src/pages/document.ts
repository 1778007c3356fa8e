/** The HTML document and the response headers of every page. */
import type { PageOutcome } from "../http/action-outcome.ts"
import type { Theme } from "../types.ts"
import type { Color } from "./color.ts"
import { html, Markup } from "./html.ts"
import { createStylesheetCache } from "./stylesheet.ts"
import { parseThemeImage } from "./urls.ts"

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
  readonly errorReport?: Markup | undefined
}

/** Renders a built-in page. It loads nothing from other servers, except the logo of the theme. */
export type RenderPage = (content: PageContent) => Promise<PageOutcome>

/** Creates the function that renders the pages of a theme. Invalid colours and images are ignored. */
export function createPageRenderer(theme: Theme): RenderPage {
  const stylesheet = createStylesheetCache(theme)
  const logo = parseThemeImage(theme.logo)
  return async (content) => {
    const { status = 200, script, brandColors = [], errorReport } = content
    const style = await stylesheet(brandColors, errorReport !== undefined)
    // No `form-action`: Chromium also applies it to the redirect to the provider that answers a form.
    const policy = [
      "default-src 'none'",
      `style-src ${style.source}`,
      ...(script ? [`script-src ${script.source}`, "connect-src 'self'"] : []),
      ["img-src 'self' data:", ...(logo?.origin ? [logo.origin] : [])].join(" "),
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ]
    const headers = { ...commonHeaders, "content-security-policy": policy.join("; ") }
    const { text } = renderDocument(content, style.text, logo?.src)
    return { kind: "page", status, html: text, headers }
  }
}

const commonHeaders = {
  "content-type": "text/html; charset=utf-8",
  // Not `no-referrer`: with it, browsers send `Origin: null` with forms.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "private, no-cache, no-store",
}

function renderDocument(content: PageContent, styles: string, logo: string | undefined): Markup {
  const { title, rootClass, card, script, errorReport } = content
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<main class="page">
<div class="${rootClass}${errorReport && " with-error-report"}">
${logo && html`<img class="logo" src="${logo}" alt="Logo">\n`}<div class="card">
${card}</div>
${errorReport}</div>
</main>
${script && html`<script>${new Markup(script.text)}</script>\n`}</body>
</html>
`
}
