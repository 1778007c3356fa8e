/** The way back to the application. */
import { html, type Markup } from "./html.ts"
import { parseHost, sanitizeUrl } from "./links.ts"

/** A link to the application, named after its host. */
export function renderSiteLink(homeUrl: string): Markup {
  const name = parseHost(homeUrl) ?? "Home"
  return html`<p class="note"><a class="site" href="${sanitizeUrl(homeUrl)}">${name}</a></p>`
}
