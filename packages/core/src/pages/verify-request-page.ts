/** The page after a sign-in link was sent. */
import type { PageContent } from "./document.ts"
import { html } from "./html.ts"
import { envelopeIcon } from "./icons.ts"
import { renderSiteLink } from "./site-link.ts"

/** What the page shows. */
export interface VerifyRequestPageProps {
  /** URL of the application. */
  homeUrl: string
}

/** The page that says to look at the mail. */
export function renderVerifyRequestPage({ homeUrl }: VerifyRequestPageProps): PageContent {
  return {
    title: "Verify Request",
    rootClass: "verify-request",
    card: html`<header>
<div class="emblem">${envelopeIcon}</div>
<h1>Check your email</h1>
<p>A sign-in link is on its way. If it does not arrive, look in your spam folder.</p>
</header>
${renderSiteLink(homeUrl)}
`,
  }
}
