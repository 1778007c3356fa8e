/** The page after a sign-in link was sent. */
import type { Content } from "./document.ts"
import { html } from "./html.ts"
import { envelope } from "./marks.ts"
import { siteLink } from "./site-link.ts"

/** What the page shows. */
export interface VerifyRequestProps {
  /** URL of the application. */
  homeUrl: string
}

/** The page that says to look at the mail. */
export function verifyRequestPage({ homeUrl }: VerifyRequestProps): Content {
  return {
    title: "Verify Request",
    root: "verify-request",
    card: html`<header>
<div class="emblem">${envelope}</div>
<h1>Check your email</h1>
<p>A sign-in link is on its way. If it does not arrive, look in your spam folder.</p>
</header>
${siteLink(homeUrl)}
`,
  }
}
