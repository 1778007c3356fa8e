/** The page between a sign-in link and its use: mail scanners open links, but they press no buttons. */
import type { PageContent } from "./document.ts"
import { renderHiddenInputs } from "./hidden-inputs.ts"
import { html } from "./html.ts"
import { envelopeIcon } from "./icons.ts"
import { sanitizeUrl } from "./links.ts"
import { renderSiteLink } from "./site-link.ts"

/** What the page shows. */
export interface ConfirmPageProps {
  /** Absolute URL the form posts to, which uses the link. */
  action: string
  csrfToken?: string | undefined
  /** The address in the link. */
  email: string
  /** URL of the application. */
  homeUrl: string
}

/** The page that asks whether to go on as the person who has the address. */
export function renderConfirmPage({
  action,
  csrfToken,
  email,
  homeUrl,
}: ConfirmPageProps): PageContent {
  return {
    title: "Confirm Sign In",
    rootClass: "confirm",
    card: html`<header>
<div class="emblem">${envelopeIcon}</div>
<h1>Almost there</h1>
<p>If you did not ask to sign in, close this page and nothing happens.</p>
</header>
<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken)}\
<button class="button main" id="submitButton" type="submit">Continue as ${email}</button>
</form>
${renderSiteLink(homeUrl)}
`,
  }
}
