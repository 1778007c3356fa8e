/** The page that users see after a sign-in link was sent. */
import { renderHeader, renderSiteLink } from "./components.ts"
import type { PageContent } from "./document.ts"
import { html } from "./html.ts"
import { envelopeIcon } from "./icons.ts"

/** Renders the page that asks users to check their mail. */
export function renderVerifyRequestPage({ homeUrl }: { homeUrl: string }): PageContent {
  const text = html`<p>A sign-in link is on its way. If it does not arrive, check your spam folder.</p>`
  return {
    title: "Verify Request",
    rootClass: "verify-request",
    card: html`${renderHeader(envelopeIcon, "Check your email", text)}${renderSiteLink(homeUrl)}`,
  }
}
