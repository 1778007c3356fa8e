/** The way back to the application. */
import { html, type Markup } from "./html.ts"
import { hostOf, webUrl } from "./links.ts"

/** A link to the application, named after its host. */
export function siteLink(homeUrl: string): Markup {
  const name = hostOf(homeUrl) ?? "Home"
  return html`<p class="note"><a class="site" href="${webUrl(homeUrl)}">${name}</a></p>`
}
